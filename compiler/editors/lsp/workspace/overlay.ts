import type { Host } from "../../../phases/source/index.ts";

/** Returns the newest text of a file that is open in an editor, by its path with links resolved. */
export type OpenText = (path: string) => string | undefined;

/**
 * Returns a host in which open texts of the editor take precedence over the disk. Each requested path is added to `asked`, whether or not
 * it exists.
 */
export function overlayHost(disk: Host, open: OpenText, asked: Set<string>): Host {
  return {
    ...disk,
    realPath: async (path) => {
      asked.add(path);
      const real = (await disk.realPath(path)) ?? (open(path) === undefined ? undefined : path);
      if (real !== undefined) asked.add(real);
      return real;
    },
    readFile: async (path, limit) => {
      const text = open(path);
      if (text === undefined) return disk.readFile(path, limit);
      const bytes = new TextEncoder().encode(text);
      if (bytes.length <= limit) return { ok: true, value: bytes };
      return { ok: false, reason: `it has ${bytes.length} bytes, at most ${limit} are read` };
    },
  };
}
