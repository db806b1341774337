// State of a reader of JSON Schema, and its result: a value, or a reason why there is none.

import { findOddity, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import type { Refusal } from "../../../engine/lib/result/result.ts";

/** Rules about one argument that the gate does not check, by their words in the schema. */
export interface UncheckedRules {
  /** `filter.tags[]`: each item of a list within an object. Empty means all arguments together. */
  readonly path: string;
  /**
   * `null`: null is refused, and nothing can replace it. `json`: no part of the value is checked. `additionalProperties`: members that
   * the schema does not describe are refused.
   */
  readonly rules: readonly string[];
}

export interface Place {
  readonly root: JsonRecord;
  /** References that led here, and the depth. */
  readonly refs: readonly string[];
  readonly depth: number;
  /** Types that may still be read: references can make few bytes stand for billions of them. */
  readonly budget: { left: number };
  readonly path: string;
  /** Unchecked rules of all arguments. */
  readonly unheld: UncheckedRules[];
  /** Rules of the current argument, in words. */
  readonly words: string[];
  /** Prefix that names the described shape, if there are several: `if a list: `. */
  readonly about: string;
  /** Whether null was removed from the allowed values. */
  readonly wasNullable: boolean;
  /** Members next to the references and alternatives that were followed. */
  readonly beside: JsonRecord;
}

/** Reason for the lack of a shape. `isFinal`: unchecked JSON must not stand for it either. */
interface NoShape extends Refusal {
  readonly isFinal?: true;
}

/** Value, or the reason why there is none. */
export type Read<T> = { readonly ok: true; readonly value: T } | NoShape;

/** Returns a refusal that unchecked JSON must not replace: no value is accepted, or the schema is unreadable. */
export function refuseFinally(reason: string): NoShape {
  return { ok: false, reason, isFinal: true };
}

/**
 * Returns a limit as the nearest double; beyond 2^53 all limits become the same. Returns `undefined` if the value is not a number.
 */
export function parseBound(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const source = findOddity(value)?.source ?? "";
  return /^-?[0-9]/.test(source) ? Number(source) : undefined;
}
