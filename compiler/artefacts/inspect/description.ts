import { createHash } from "node:crypto";
import type { ReadAt } from "./iso-reader.ts";

/** Content of an artefact, as text for a person and as values for programs. */
export interface Description {
  /** Kind of the artefact, for example "manifest". */
  readonly kind: string;
  /** The facts as plain values for JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The facts as text for a person, one fact for each line. */
  readonly lines: readonly string[];
  /** Faults of the artefact; empty if it is sound. */
  readonly faults: readonly string[];
}

export function computeSha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const PIECE = 1024 * 1024;

/**
 * Returns the SHA-256 of a range of a file in hexadecimal. The function reads the range in parts, so the range need not fit into memory.
 */
export function computeSha256At(readAt: ReadAt, offset: number, size: number): string {
  const hash = createHash("sha256");
  for (let at = 0; at < size; at += PIECE) hash.update(readAt(offset + at, Math.min(PIECE, size - at)));
  return hash.digest("hex");
}

/** Returns the SHA-256 of a public key's 32 bytes in hexadecimal. capc always shows a key to a person in this form. */
export function computeFingerprint(publicKey: Uint8Array): string {
  return computeSha256(publicKey);
}

export function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Formats a table whose columns fit their content; the last column is not padded. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd((widths[column] ?? 0) + 2))).join(""),
  );
}

/** Converts values that JSON cannot express: 64-bit integers to decimal text, bytes to hexadecimal. */
export function convertToPlain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return encodeHex(value);
  if (Array.isArray(value)) return value.map(convertToPlain);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, convertToPlain(field)]));
}
