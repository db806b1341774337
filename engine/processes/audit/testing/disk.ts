// A disk in memory: it fails when a test says so, records its operations, and loses unsynced data at a power cut.

import { BLOCK_BYTES } from "../block.ts";
import { createLogBytes, type Device } from "../device.ts";

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: a failing disk`), { code });
}

const DISK_BYTES: number = 1.5 * 1024 * 1024;

export class FailingDisk {
  readonly bytes: Buffer;
  /** The writes and syncs so far, in order, such as `sync` or `write 4096`, with the number of written bytes. */
  readonly done: string[] = [];
  /** Error code of every write; empty means that writes succeed. */
  writeError = "";
  /**
   * Maximum number of blocks that one write accepts. A write never ends within a block, because kernel and disk write
   * whole pages and sectors.
   */
  mouthful = Number.POSITIVE_INFINITY;
  /** Errors of the next syncs, in order. */
  readonly syncErrors: Error[] = [];
  /** Promise that syncs wait for, if a test sets it. */
  gate: Promise<void> = Promise.resolve();
  /** Previous content of the blocks written since the last sync, by block. */
  readonly #before = new Map<number, Buffer>();
  #power = { isOn: true };

  constructor(size: number = DISK_BYTES) {
    this.bytes = Buffer.alloc(size);
  }

  /** Returns the disk for one run of the machine: after a power cut, writes and syncs of that run never complete. */
  plugged(): Device {
    const power = this.#power;
    const whileOn = <T>(act: () => Promise<T>): Promise<T> => (power.isOn ? act() : new Promise(() => {}));
    return {
      ...createLogBytes(this.bytes, 100_000),
      read: async (bytes, position) => this.bytes.copy(bytes, 0, position),
      write: (bytes, position) => whileOn(() => this.#write(bytes, position)),
      sync: () => whileOn(() => this.#sync(power)),
    };
  }

  async #write(bytes: Uint8Array, position: number): Promise<number> {
    const taken = Math.min(bytes.length, this.mouthful * BLOCK_BYTES, this.bytes.length - position);
    if (this.writeError !== "" || taken <= 0) throw systemError(this.writeError || "ENOSPC");
    this.done.push(`write ${taken}`);
    for (let block = Math.floor(position / BLOCK_BYTES); block * BLOCK_BYTES < position + taken; block += 1) {
      const old = this.bytes.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES);
      if (!this.#before.has(block)) this.#before.set(block, Buffer.from(old));
    }
    this.bytes.set(bytes.subarray(0, taken), position);
    return taken;
  }

  async #sync(power: { readonly isOn: boolean }): Promise<void> {
    await this.gate;
    if (!power.isOn) return await new Promise(() => {});
    this.done.push("sync");
    const error = this.syncErrors.shift();
    if (error !== undefined) throw error;
    this.#before.clear();
  }

  /**
   * For each block that was written but not synced, `keeps` decides whether the block is kept or lost; after that the
   * disk works again.
   */
  cutPower(keeps: (block: number) => boolean): void {
    for (const [block, old] of this.#before) if (!keeps(block)) this.bytes.set(old, block * BLOCK_BYTES);
    this.#before.clear();
    this.#power.isOn = false;
    this.#power = { isOn: true };
    Object.assign(this, { writeError: "", gate: Promise.resolve() });
    this.syncErrors.length = 0;
  }
}
