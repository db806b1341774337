// Defines the state in which `json-types.ts` reads a part of a JSON Schema, such as the references that it followed.
// Also defines the form of the result: a value, or the reason for which there is none.

import { findOddity, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import type { Refusal } from "../../../engine/lib/result/result.ts";

/** Keywords of those rules about one argument, or about all arguments together, that the gate does not check. */
export interface UncheckedRules {
  /**
   * Path of the argument or of a part of it: `filter.tags[]` means each item of a list in an object. An empty path
   * means all arguments together.
   */
  readonly path: string;
  /**
   * Keywords of the rules. The special name `null` means that the schema allows null for an argument that cannot be
   * left out, but the gate refuses null. `json` means that no part of the value is checked. `additionalProperties`
   * means that the gate refuses members that the schema does not describe.
   */
  readonly rules: readonly string[];
}

export interface Place {
  readonly root: JsonRecord;
  /** References that were followed up to this place; `depth` is the number of nested schemas. */
  readonly refs: readonly string[];
  readonly depth: number;
  /**
   * Number of types that may still be read. The number is limited, because a short schema with references can stand for
   * billions of types.
   */
  readonly budget: { left: number };
  readonly path: string;
  /** One list for all arguments of the tool: the rules that the gate does not check. */
  readonly unheld: UncheckedRules[];
  /** Rules of the current argument, in words. */
  readonly words: string[];
  /** Prefix for rules of one alternative, if there are several: `if a list: `. */
  readonly about: string;
  /** Whether the schema allowed null, before the reader removed null from the allowed values. */
  readonly wasNullable: boolean;
  /**
   * Members of outer schemas that also apply to this value. They stand beside the reference, or beside the list of
   * alternatives, that led to it.
   */
  readonly beside: JsonRecord;
}

/**
 * Reason for which a schema has no type that the gate can check. If `isFinal` is set, the value must not be accepted as
 * unchecked JSON either.
 */
interface NoShape extends Refusal {
  readonly isFinal?: true;
}

/** The result of reading a schema, or the reason for which there is no result. */
export type Read<T> = { readonly ok: true; readonly value: T } | NoShape;

/**
 * Returns a refusal of a value that must not be accepted as unchecked JSON either, because no value is valid or the
 * schema is unreadable.
 */
export function refuseFinally(reason: string): NoShape {
  return { ok: false, reason, isFinal: true };
}

/**
 * Returns a limit as the nearest JavaScript number, which is not exact beyond 2^53. Returns `undefined` if the value is
 * not a number.
 */
export function parseBound(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const source = findOddity(value)?.source ?? "";
  return /^-?[0-9]/.test(source) ? Number(source) : undefined;
}
