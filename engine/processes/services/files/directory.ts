// Runs the operations on the directory of a file service. Only the service's own calls change the directory, one after
// the other.

import { settle } from "./journal.ts";
import { sweep } from "./walk.ts";

export class Directory {
  readonly root: string;
  /** Maximum bytes of all files together; 0 means that only the disk limits them. */
  readonly stateBytes: number;
  readonly #end: (why: string) => void;
  #idle: Promise<unknown> = Promise.resolve();

  /**
   * Creates a directory. `root` is on a disk that only this process writes to; the constructor does not read the disk.
   * `end` ends the process if a change in the journal cannot be carried out. The next start carries out this change
   * before any caller reads.
   */
  constructor(root: string, stateBytes: number, end: (why: string) => void = () => undefined) {
    this.root = root;
    this.stateBytes = stateBytes;
    this.#end = end;
  }

  /** Finishes a half-done change after a crash, and removes partly written files, which use space and are invisible to callers. */
  async tidy(): Promise<void> {
    await settle(this.root);
    await sweep(this.root);
  }

  /** Runs changes one after the other, because two changes must not both use the same free space or the same name. */
  change<T>(run: () => Promise<T>): Promise<T> {
    const running = this.#idle.then(run);
    this.#idle = running.catch(() => undefined);
    return running;
  }

  /** Runs the part of a change that must not stay half done: if it fails, the process ends. */
  async finish(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#end(
        `edits that were decided cannot be carried out: ${error instanceof Error ? error.message : String(error)}`,
      );
      throw error;
    }
  }
}
