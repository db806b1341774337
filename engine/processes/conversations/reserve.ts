// Room on the disk that is kept free for forgetting: after filling a disk, a person must be able to free room on it.

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Twice the journal of the largest step of forgetting. */
const RESERVE_BYTES: number = 2 * 1024 * 1024;
const PIECE: Uint8Array = new Uint8Array(64 * 1024).fill(0x55);

/** File that reserves room on the disk. It is filled again as soon as there is room; until then it is smaller. */
export class Reserve {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Fills the reserve as far as the disk has room. */
  fill(): void {
    this.#open((file) => {
      try {
        for (let at = fstatSync(file).size; at < RESERVE_BYTES; at += PIECE.length)
          writeSync(file, PIECE, 0, PIECE.length, at);
        fsyncSync(file);
      } catch {
        // The disk has no room now; serve nevertheless.
      }
    });
  }

  /** Returns the reserved room to the disk. */
  release(): void {
    this.#open((file) => ftruncateSync(file, 0));
  }

  #open(use: (file: number) => void): void {
    const file = openSync(this.#path, "a+");
    try {
      use(file);
    } finally {
      closeSync(file);
    }
  }
}
