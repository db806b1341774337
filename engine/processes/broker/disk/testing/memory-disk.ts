import type { Disk } from "../disk.ts";

/** A disk in memory. `fails`: how many replacements from now; 0: the next. `tears`: what failed is there all the same. */
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
}
