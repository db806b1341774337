// A real file on a disk that fails when a test says so, and tells what was asked of it.

import type { FileHandle } from "node:fs/promises";
import type { Growing } from "../log-file.ts";

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: a failing disk`), { code });
}

export class FailingDisk {
  /** What was done, in order; a write with its bytes. */
  readonly done: string[] = [];
  /** Bytes that files may still grow by; the write that crosses it is cut short, the next one fails. */
  room = Number.POSITIVE_INFINITY;
  /** Code of the error of every write; empty: none. */
  writeError = "";
  /** Most bytes that one write takes. */
  mouthful = Number.POSITIVE_INFINITY;
  /** Errors for the next syncs and truncations, first to last. */
  readonly syncErrors: Error[] = [];
  readonly truncateErrors: Error[] = [];
  /** Where set, syncs wait for it. */
  gate: Promise<void> = Promise.resolve();

  on(file: FileHandle): Growing {
    return {
      write: async (bytes, from, length, position) => {
        const { size } = await file.stat();
        const taken = Math.min(length, this.mouthful, size - position + this.room);
        if (this.writeError !== "" || taken <= 0) throw systemError(this.writeError || "ENOSPC");
        this.room -= Math.max(0, position + taken - size);
        this.done.push(`write ${taken}`);
        return await file.write(bytes, from, taken, position);
      },
      datasync: async () => {
        await this.gate;
        this.done.push("sync");
        const error = this.syncErrors.shift();
        if (error !== undefined) throw error;
        await file.datasync();
      },
      truncate: async (length) => {
        this.done.push("truncate");
        const error = this.truncateErrors.shift();
        if (error !== undefined) throw error;
        this.room += (await file.stat()).size - length;
        await file.truncate(length);
      },
    };
  }
}
