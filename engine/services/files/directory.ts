// What a service of files holds: one directory, in which nothing changes but by its own calls, one after the other.

import { sweep } from "./walk.ts";

export class Directory {
  readonly root: string;
  /** What all files together may hold; 0: no limit but the disk. */
  readonly stateBytes: number;
  #idle: Promise<unknown> = Promise.resolve();

  /** `root`: on a disk that this process alone writes to; nothing is looked at yet. */
  constructor(root: string, stateBytes: number) {
    this.root = root;
    this.stateBytes = stateBytes;
  }

  /** Takes away what a crash left half written: it counts, and nobody can name it. */
  async tidy(): Promise<void> {
    await sweep(this.root);
  }

  /** Changes wait for each other: two that look at the same free room, or at the same name, must not both have it. */
  change<T>(run: () => Promise<T>): Promise<T> {
    const running = this.#idle.then(run);
    this.#idle = running.catch(() => undefined);
    return running;
  }
}
