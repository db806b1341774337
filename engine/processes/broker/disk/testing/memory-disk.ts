import { countBlockBytes, type Disk } from "../disk.ts";

/**
 * A disk in memory. `fails` is the number of changes that succeed before one fails; with 0, the next one fails.
 * `tears`: whether the failed change is stored, although it is reported as failed; half of a failed append is stored.
 */
export class MemoryDisk implements Disk {
  readonly files = new Map<string, Uint8Array>();
  fails = Number.POSITIVE_INFINITY;
  tears = false;

  read(name: string): Uint8Array | undefined {
    return this.files.get(name);
  }

  replace(name: string, bytes: Uint8Array): void {
    const isBroken = this.fails <= 0;
    this.fails -= 1;
    if (!isBroken || this.tears) this.files.set(name, bytes);
    if (isBroken) throw new Error("no space left");
  }

  remove(name: string): void {
    const isBroken = this.fails <= 0;
    this.fails -= 1;
    if (!isBroken || this.tears) this.files.delete(name);
    if (isBroken) throw new Error("no space left");
  }

  append(name: string, from: number, bytes: Uint8Array): void {
    const isBroken = this.fails <= 0;
    this.fails -= 1;
    const before = (this.files.get(name) ?? new Uint8Array()).subarray(0, from);
    if (before.length < from) throw new Error("it is shorter");
    const added = isBroken ? bytes.subarray(0, bytes.length >> 1) : bytes;
    if (!isBroken || this.tears) this.files.set(name, Buffer.concat([before, added]));
    if (isBroken) throw new Error("no space left");
  }

  measure(prefix: string): number {
    const found = [...this.files].filter(([name]) => name.startsWith(prefix));
    return found.reduce((sum, [, { length }]) => sum + countBlockBytes(length), 0);
  }
}
