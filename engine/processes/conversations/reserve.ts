// Reserves space on the disk for forgetting, because a person must be able to free space on a full disk.

import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";

/** Size of the reserve: twice the size of the journal for the largest step of forgetting. */
const RESERVE_BYTES: number = 2 * 1024 * 1024;
const PIECE: Uint8Array = new Uint8Array(64 * 1024).fill(0x55);

/**
 * File that reserves space on the disk. A change that needs the space empties the file, which is filled again as soon as
 * the disk has space.
 */
export class Reserve {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Fills the reserve as far as the disk has space. */
  fill(): void {
    this.#open((file) => {
      try {
        for (let at = fstatSync(file).size; at < RESERVE_BYTES; at += PIECE.length)
          writeSync(file, PIECE, 0, PIECE.length, at);
        fsyncSync(file);
      } catch {
        // The disk has no space for the reserve now; the store serves anyway.
      }
    });
  }

  /** Returns the reserved space to the disk. */
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
