// Cache of results for unchanged inputs, because an editor compiles a page at each keystroke.

/** Cache with one value for each name: the last computed value and its input. */
export class Memo<T> {
  private readonly made = new Map<string, { readonly of: string | Uint8Array; readonly value: Promise<T> }>();
  private readonly asked = new Set<string>();

  /**
   * Returns the cached value of this name if it was computed from the same input; otherwise computes the value with
   * `make`.
   */
  remember(name: string, of: string | Uint8Array, make: () => Promise<T>): Promise<T> {
    this.asked.add(name);
    const before = this.made.get(name);
    if (before !== undefined && isSame(before.of, of)) return before.value;
    const value = make();
    this.made.set(name, { of, value });
    // If `make` fails, the next request calls it again.
    value.catch(() => this.made.delete(name));
    return value;
  }

  /** Removes the values that were not requested since the last call of `forget`. */
  forget(): void {
    for (const name of this.made.keys()) if (!this.asked.has(name)) this.made.delete(name);
    this.asked.clear();
  }
}

function isSame(left: string | Uint8Array, right: string | Uint8Array): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  return Buffer.compare(left, right) === 0;
}
