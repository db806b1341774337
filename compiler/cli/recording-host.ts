// Wraps a host so that it records requests and their results. A watch can then detect that a result has changed. It
// ignores times and sizes of files: a page has not changed if its bytes are the same.

import { createHash } from "node:crypto";
import type { FileRead, Host } from "../phases/source/index.ts";

/** One request to the disk. */
interface Reading {
  readonly path: string;
  readonly said: string;
  readonly again: () => Promise<string>;
}

/** A host with a record of its requests. */
export interface Readings {
  readonly host: Host;
  /** Absolute paths that were requested, whether or not they exist; without the standard library. */
  readonly paths: () => readonly string[];
  /** Files that could be read: SHA-256 in hexadecimal, by absolute path. */
  readonly files: () => ReadonlyMap<string, string>;
  /** Returns whether any request to the disk would have another result now. */
  readonly haveChanged: () => Promise<boolean>;
}

/** Records each request to `host` with a digest of its result. */
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
