/**
 * Describes the first difference between two plain values: its path, and both values at this path, unless they are
 * bytes. Returns `undefined` if the values are equal.
 */
export function findDifference(expected: unknown, found: unknown, at = ""): string | undefined {
  if (expected instanceof Uint8Array && found instanceof Uint8Array) {
    return Buffer.compare(expected, found) === 0 ? undefined : `${at}: other bytes were meant`;
  }
  if (!isComposed(expected) || !isComposed(found)) {
    return Object.is(expected, found) ? undefined : renderDifference(at, describeValue(expected), describeValue(found));
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const place = at === "" ? name : `${at}.${name}`;
    const difference = findDifference(expected[name], found[name], place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

function renderDifference(at: string, expected: string, found: string): string {
  return `${at}: ${expected} was meant, ${found} is there`;
}

function describeValue(value: unknown): string {
  if (isComposed(value)) return "something of parts";
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "nothing");
}
