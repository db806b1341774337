// Caches results by name and input, so that an editor can compile a page at each keystroke.

/** Keeps the last value for each name, with the input from which it was made. */
export class Memo<T> {
  private readonly made = new Map<string, { readonly of: string | Uint8Array; readonly value: Promise<T> }>();
  private readonly asked = new Set<string>();

  /** Returns the cached value of this name if its input is the same. Otherwise calls `make` and caches the result. */
  remember(name: string, of: string | Uint8Array, make: () => Promise<T>): Promise<T> {
    this.asked.add(name);
    const before = this.made.get(name);
    if (before !== undefined && isSame(before.of, of)) return before.value;
    const value = make();
    this.made.set(name, { of, value });
    // Do not cache a failure.
    value.catch(() => this.made.delete(name));
    return value;
  }

  /** Drops values that were not requested since the last call. */
  forget(): void {
    for (const name of this.made.keys()) if (!this.asked.has(name)) this.made.delete(name);
    this.asked.clear();
  }
}

function isSame(left: string | Uint8Array, right: string | Uint8Array): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  return Buffer.compare(left, right) === 0;
}
