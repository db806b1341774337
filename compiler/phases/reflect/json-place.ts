// State of the reader of JSON Schema, and its result: a value, or the reason why there is none.

import { findOddity, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import type { Refusal } from "../../../engine/lib/result/result.ts";

/** Rules about one argument that the gate does not check, by keyword of the schema. */
export interface UncheckedRules {
  /** For example `filter.tags[]`, which means each item of a list inside an object. Empty for rules about all arguments together. */
  readonly path: string;
  /**
   * Keywords, or one of three words. `null`: the gate refuses null, although no other value replaces it. `json`: the gate checks no part of
   * the value. `additionalProperties`: the gate refuses members that the schema does not describe.
   */
  readonly rules: readonly string[];
}

export interface Place {
  readonly root: JsonRecord;
  /** References that were followed to this schema. The next field is the nesting depth. */
  readonly refs: readonly string[];
  readonly depth: number;
  /** Number of types that may still be read, because a short schema with references can expand to billions of types. */
  readonly budget: { left: number };
  readonly path: string;
  /** Collects the unchecked rules of all arguments. */
  readonly unheld: UncheckedRules[];
  /** Collects the rules of the current argument, as text for the model. */
  readonly words: string[];
  /** Prefix of a rule's text if an argument has several types, such as `if a list: `. */
  readonly about: string;
  /** Whether null was removed from the allowed values. */
  readonly wasNullable: boolean;
  /** Members of the schema beside the references and alternatives that were followed. */
  readonly beside: JsonRecord;
}

/** Reason why a schema has no type. `isFinal` means that the value cannot be treated as unchecked JSON either. */
interface NoShape extends Refusal {
  readonly isFinal?: true;
}

/** The value that was read, or the reason why there is none. */
export type Read<T> = { readonly ok: true; readonly value: T } | NoShape;

/**
 * Returns a refusal of a value that cannot be treated as unchecked JSON either, because it accepts no value or its schema is unreadable.
 */
export function refuseFinally(reason: string): NoShape {
  return { ok: false, reason, isFinal: true };
}

/** Returns a limit as the nearest double, so limits beyond 2^53 are rounded. Returns `undefined` for a value that is not a number. */
export function parseBound(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const source = findOddity(value)?.source ?? "";
  return /^-?[0-9]/.test(source) ? Number(source) : undefined;
}
