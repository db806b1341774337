// Files for work in between: a directory for each holder, all of them empty whenever the machine starts.

import { mkdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Directory } from "./directory.ts";

export class Scratch {
  readonly #root: string;
  readonly #stateBytes: number;
  readonly #directories = new Map<string, Directory>();

  /** `stateBytes`: what the files of one holder together may hold. */
  constructor(root: string, stateBytes: number) {
    this.#root = root;
    this.#stateBytes = stateBytes;
  }

  /** Deletes all files of earlier runs: their holders were told that none outlasts a start. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#root)) await rm(join(this.#root, name), { recursive: true });
  }

  /** The holder's own directory; init says who the holder is, and its name is that of a process. */
  getDirectory(holder: string): Directory {
    const known = this.#directories.get(holder);
    if (known !== undefined) return known;
    const root = join(this.#root, holder);
    mkdirSync(root, { recursive: true });
    const made = new Directory(root, this.#stateBytes);
    this.#directories.set(holder, made);
    return made;
  }
}
