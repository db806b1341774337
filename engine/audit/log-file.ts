// A file that only grows, and whose growth is on the disk before it is told. A write that fails is cut back.

import { accept, type Checked, refuse } from "../policy/checked.ts";

/** What is used of a file handle of node:fs/promises; tests give one whose disk fails. */
export interface Growing {
  readonly write: (
    bytes: Uint8Array,
    from: number,
    length: number,
    position: number,
  ) => Promise<{ bytesWritten: number }>;
  readonly datasync: () => Promise<void>;
  readonly truncate: (length: number) => Promise<void>;
}

/** No room, of the disk or of this user: what frees some helps. Any other refusal stays until the next boot. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

export class LogFile {
  readonly #file: Growing;
  #length: number;
  /** Bytes of a failed write may lie behind the length. */
  #isRagged = false;
  #isFull = false;
  #broken: string | undefined;

  constructor(file: Growing, length: number) {
    this.#file = file;
    this.#length = length;
  }

  /** Bytes that are on the disk and were told to be. */
  get length(): number {
    return this.#length;
  }

  /** Why nothing is written any more, if so. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** The disk had no room for the last write. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Writes behind the end; gives the offset once the bytes are on the disk. */
  async append(bytes: Uint8Array): Promise<Checked<number>> {
    if (this.#broken !== undefined) return refuse(this.#broken);
    const offset = this.#length;
    const failed = (await this.#write(bytes)) ?? (await this.#sync());
    if (failed !== undefined) return refuse(failed);
    this.#length = offset + bytes.length;
    return accept(offset);
  }

  async #write(bytes: Uint8Array): Promise<string | undefined> {
    try {
      if (this.#isRagged) await this.#file.truncate(this.#length);
      this.#isRagged = true;
      await this.#writeAll(bytes);
      this.#isRagged = false;
      this.#isFull = false;
      return undefined;
    } catch (error) {
      const code = codeOf(error);
      const reason = `the disk refused the record: ${code}`;
      this.#isFull = FULL.has(code);
      if (!this.#isFull) this.#broken = `${reason}; nothing more is recorded until the next boot`;
      await this.#cutBack();
      return this.#broken ?? reason;
    }
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#length + written);
      if (bytesWritten === 0) throw Object.assign(new Error("nothing was written"), { code: "ENOSPC" });
      written += bytesWritten;
    }
  }

  /**
   * After a failed sync the kernel may call pages clean that never reached the disk, and a second sync would succeed without
   * them: nothing may be told any more until the file has been read again.
   */
  async #sync(): Promise<string | undefined> {
    try {
      await this.#file.datasync();
      return undefined;
    } catch (error) {
      this.#broken = `the disk did not keep a record: ${codeOf(error)}; nothing more is recorded until the next boot`;
      await this.#cutBack();
      return this.#broken;
    }
  }

  /** Where even this fails it is tried again before the next write, and recovery does it after a crash. */
  async #cutBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#length);
      this.#isRagged = false;
    } catch (error) {
      codeOf(error);
      this.#isRagged = true;
    }
  }
}

/** Names of the system's errors may be told; paths of the machine, which the message holds, may not. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}
