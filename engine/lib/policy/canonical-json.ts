import { accept, type Result, refuse } from "../result/result.ts";
import { type Json, type JsonRecord, readForm } from "./json-reader.ts";
import { recordOfRoundTrip } from "./round-trip.ts";

interface CanonicalArguments {
  readonly value: JsonRecord;
  /** Canonical form by RFC 8785. Exactly these characters are decided on, shown, audited and sent. */
  readonly text: string;
}

/** Whether this process has WebAssembly, and so a JIT compiler; jailed processes run without both. */
const COMPILES = "WebAssembly" in globalThis;

/** Returns the canonical form of a call's arguments, or why they are refused. */
export function canonicalizeArguments(text: string): Result<CanonicalArguments> {
  const value = COMPILES ? undefined : recordOfRoundTrip(text);
  return value === undefined ? readArguments(text) : accept({ value, text });
}

/**
 * Canonicalizes arguments with our own reader, with or without a JIT compiler. Only our own reader decides which
 * arguments are refused, and why.
 */
export function readArguments(text: string): Result<CanonicalArguments> {
  const read = readForm(text);
  if (!read.ok) return refuse(`the arguments are not acceptable JSON: ${read.reason}`);
  const { value, isCanonical } = read.value;
  if (!isRecord(value)) return refuse("the arguments are not a JSON object");
  return accept({ value, text: isCanonical ? text : renderCanonicalJson(value) });
}

/** Returns the RFC 8785 form: names in order of UTF-16 code units, no blanks, numbers and texts as ECMAScript writes them. */
export function renderCanonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(renderCanonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${renderCanonicalJson(value[name] ?? null)}`).join(",")}}`;
}

export function isRecord(value: Json): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
