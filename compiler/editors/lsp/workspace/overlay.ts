import type { Host } from "../../../phases/source/index.ts";

/** The newest text of a file that is open in an editor, by its path with links resolved. */
export type OpenText = (path: string) => string | undefined;

/**
 * A world in which what is open in the editor goes before what is on the disk. Each path that is asked for is put into
 * `asked`, whether or not something is there.
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
