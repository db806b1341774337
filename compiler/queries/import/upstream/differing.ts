import { indexPath, renderKeyPath } from "./listing.ts";

/** A value that differs from the expected one. */
export interface ValueDifference {
  readonly path: string;
  /** Expected value as text for a person. */
  readonly expected: string;
}

/**
 * Returns the differences between plain values, leaf by leaf. If only one of two lists has an element, the path of the
 * difference contains its index.
 */
export function findDifferences(path: string, found: unknown, expected: unknown): readonly ValueDifference[] {
  if (found instanceof Uint8Array && expected instanceof Uint8Array)
    return Buffer.compare(found, expected) === 0 ? [] : [{ path, expected: describeValue(expected) }];
  if (Array.isArray(found) && Array.isArray(expected)) {
    const length = Math.max(found.length, expected.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      findDifferences(indexPath(path, index), found[index], expected[index]),
    );
  }
  if (isRecord(found) && isRecord(expected))
    return Object.keys({ ...found, ...expected }).flatMap((key) =>
      findDifferences(renderKeyPath(path, key), found[key], expected[key]),
    );
  return found === expected ? [] : [{ path, expected: describeValue(expected) }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value instanceof Uint8Array) return value.length === 0 ? "nothing" : `hex:${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value) || isRecord(value)) return "something";
  return value === "" ? "nothing" : `${value}`;
}
