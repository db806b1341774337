// Wraps a host, through which a compilation reads files. Records the paths that were read, and a digest of each
// result. So `--watch` can detect that a result has changed: by the contents of files, not by their times or sizes.

import { createHash } from "node:crypto";
import type { FileRead, Host } from "../phases/source/index.ts";

/** One request to the disk. */
interface Reading {
  readonly path: string;
  readonly said: string;
  readonly again: () => Promise<string>;
}

/** A host, through which a compilation reads files, with a record of its requests. */
export interface Readings {
  readonly host: Host;
  /**
   * Returns the absolute paths that were requested, whether or not they exist, without those of the standard library.
   */
  readonly paths: () => readonly string[];
  /** Returns the SHA-256 of each file that could be read, in hexadecimal, by absolute path. */
  readonly files: () => ReadonlyMap<string, string>;
  /** Returns whether the result of any recorded request would be different now. */
  readonly haveChanged: () => Promise<boolean>;
}

/** Creates a host that records its requests. `host` provides the results, of which only digests are stored. */
export function recordReadings(host: Host): Readings {
  const readings: Reading[] = [];
  const files = new Map<string, string>();
  const remember = async <T>(path: string, ask: () => Promise<T>, say: (answer: T) => string): Promise<T> => {
    const answer = await ask();
    readings.push({ path, said: say(answer), again: async () => say(await ask()) });
    return answer;
  };
  return {
    host: {
      ...host,
      realPath: (path) => remember(path, () => host.realPath(path), String),
      readFile: async (path, limit) => {
        const read = await remember(path, () => host.readFile(path, limit), digestOf);
        if (read.ok) files.set(path, digestOf(read));
        return read;
      },
    },
    files: () => files,
    paths: () => [...new Set(readings.map(({ path }) => path))],
    haveChanged: async () => {
      for (const { said, again } of readings) if ((await again()) !== said) return true;
      return false;
    },
  };
}

function digestOf(read: FileRead): string {
  return read.ok ? createHash("sha256").update(read.value).digest("hex") : read.reason;
}
