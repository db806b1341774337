// Cache of results that are requested again unchanged, for compilation of a page at each keystroke.

/** Remembers the last value made under each name, with the input that it was made from. */
export class Memo<T> {
  private readonly made = new Map<string, { readonly of: string | Uint8Array; readonly value: Promise<T> }>();
  private readonly asked = new Set<string>();

  /** Returns the value that `make` returns, or the last value under this name if it was made of the same input. */
  remember(name: string, of: string | Uint8Array, make: () => Promise<T>): Promise<T> {
    this.asked.add(name);
    const before = this.made.get(name);
    if (before !== undefined && isSame(before.of, of)) return before.value;
    const value = make();
    this.made.set(name, { of, value });
    // A failed run is repeated.
    value.catch(() => this.made.delete(name));
    return value;
  }

  /** Drops the values that were not requested since the last call. */
  forget(): void {
    for (const name of this.made.keys()) if (!this.asked.has(name)) this.made.delete(name);
    this.asked.clear();
  }
}

function isSame(left: string | Uint8Array, right: string | Uint8Array): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  return Buffer.compare(left, right) === 0;
}
