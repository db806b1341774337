// State of a reader of JSON Schema, and its result: a value, or a reason for which there is none.

import { findOddity, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import type { Refusal } from "../../../engine/lib/result/result.ts";

/** Rules about one argument that the gate does not check, by their words in the schema. */
export interface UncheckedRules {
  /** `filter.tags[]`: each item of a list within an object. Empty: all arguments together. */
  readonly path: string;
  /**
   * `null`: null is refused, and nothing can stand for it. `json`: no part of the value is checked.
   * `additionalProperties`: members that the schema does not describe are refused.
   */
  readonly rules: readonly string[];
}

export interface Place {
  readonly root: JsonRecord;
  /** References that led here, and how deep it is. */
  readonly refs: readonly string[];
  readonly depth: number;
  /** Types that may still be looked at: references can make few bytes mean billions of them. */
  readonly budget: { left: number };
  readonly path: string;
  /** Unchecked rules of all arguments. */
  readonly unheld: UncheckedRules[];
  /** Rules of the current argument, in words. */
  readonly words: string[];
  /** Prefix that names the shape which the words describe, if there are several shapes: `if a list: `. */
  readonly about: string;
  /** Null was taken out of what it may be. */
  readonly wasNullable: boolean;
  /** Members next to the references and alternatives that were followed. */
  readonly beside: JsonRecord;
}

/** Reason why there is no shape. `isFinal`: unchecked JSON must not stand for it either. */
interface NoShape extends Refusal {
  readonly isFinal?: true;
}

/** Value, or the reason why there is none. */
export type Read<T> = { readonly ok: true; readonly value: T } | NoShape;

/** Returns a refusal that unchecked JSON must not replace: no value is accepted, or the schema is unreadable. */
export function refuseFinally(reason: string): NoShape {
  return { ok: false, reason, isFinal: true };
}

/** Returns a limit, as near as a double comes to it: beyond 2^53 all of them are cut to the same. `undefined` for what is not a number. */
export function parseBound(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const source = findOddity(value)?.source ?? "";
  return /^-?[0-9]/.test(source) ? Number(source) : undefined;
}
