import type { FileRead, Host } from "../../phases/source/index.ts";

const NO_DISK = { ok: false, reason: "a browser has no disk" } as const;

/** Returns the playground's host, which reads no disk: it contains only the files of the standard library. */
export function standardHost(files: Readonly<Record<string, string>>): (today: string) => Host {
  const readStandard = async (file: string): Promise<FileRead> => {
    const text = Object.hasOwn(files, file) ? files[file] : undefined;
    return text === undefined ? NO_DISK : { ok: true, value: new TextEncoder().encode(text) };
  };
  return (today) => ({
    realPath: async () => undefined,
    readFile: async () => NO_DISK,
    readHead: async () => NO_DISK,
    readStandard,
    today,
  });
}
