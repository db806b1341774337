// Room on the disk that only the audit may use: a file of zeros beside the log, given up when the log finds no room. It
// takes what has to be written after that: outcomes of calls that had begun, and that no more begin.
//
// Blocks behind the end of the log itself would be safer from others who write to the same disk, but Node cannot ask for
// them without making the log longer, and a log that ends in zeros cannot be told from one that a crash tore.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { accept, type Checked, refuse } from "../policy/checked.ts";
import { codeOf, type Growing, LogFile } from "./log-file.ts";

/** An outcome takes 2 to 20 KiB, and a gate has one call under way. */
export const RESERVE_BYTES = 1024 * 1024;
/** What `stat` counts blocks in, whatever the disk has. */
const BLOCK_BYTES = 512;

export class Reserve {
  readonly #file: Growing;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, file: Growing) {
    this.#handle = handle;
    this.#file = file;
  }

  /** Opens or makes the file, its blocks on the disk. `isHeld` false: there is no room for it, and it holds nothing. */
  static async make(
    path: string,
    growing: (file: FileHandle) => Growing,
  ): Promise<Checked<{ readonly reserve: Reserve; readonly isHeld: boolean }>> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(path, flags, 0o600);
    const reserve = new Reserve(handle, growing(handle));
    const isHeld = await reserve.#fill();
    if (isHeld.ok) return accept({ reserve, isHeld: isHeld.value });
    await handle.close();
    return isHeld;
  }

  async #fill(): Promise<Checked<boolean>> {
    const { size, blocks } = await this.#handle.stat();
    if (size === RESERVE_BYTES && blocks * BLOCK_BYTES >= RESERVE_BYTES) return accept(true);
    await this.#file.truncate(0);
    const file = new LogFile(this.#file, 0);
    const filled = await file.append(new Uint8Array(RESERVE_BYTES));
    if (filled.ok || file.isFull) return accept(filled.ok);
    return refuse(filled.reason);
  }

  /** Gives the room back to the disk. The room is there when this resolves; what goes wrong shows when it is written to. */
  async release(): Promise<void> {
    try {
      await this.#file.truncate(0);
      await this.#file.datasync();
    } catch (error) {
      codeOf(error);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
