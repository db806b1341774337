// Resolves the term of a condition to values: one, or one for each element of the lists on its path.
import type { Condition } from "../wire/generated/policy.ts";
import { isList, isRecord } from "./canonical-json.ts";
import { parseDomain } from "./domain.ts";
import type { Json, JsonRecord } from "./json-reader.ts";
import { findAddresses, findUrls } from "./literals-inside.ts";
import { parseOrigin } from "./place.ts";
import { parseDateText, parseDurationText } from "./time-text.ts";

/** A value of a term. `null`: the argument is absent or null. `undefined`: the argument is present, but the term has no value for it. */
export type TermValue = Json | undefined;

/** All values of a term: the single value, or with a quantifier the values of each element in order. */
type TermValues = { readonly single: TermValue } | { readonly each: readonly TermValue[] };

/** The part of a condition that states which values of the arguments it tests. */
export type Term = Pick<Condition, "path" | "term" | "each" | "extract">;

const ABSENT: TermValues = { single: null };
const UNKNOWN: TermValues = { single: undefined };

/** Returns the values that a term stands for in these arguments. */
export function resolveTerm(term: Term, args: JsonRecord): TermValues {
  if (term.each === "single") return { single: resolveSingle(term, args) };
  const found: TermValue[] = [];
  const visited = visitElements(args, term.path, found);
  // Without a list on its path, a term has elements only if it extracts links or addresses from a text.
  if (visited === "absent") return ABSENT;
  if (visited === "plain" && term.extract === "none") return UNKNOWN;
  if (term.extract === "none") return { each: found.map((value) => applyTerm(term.term, value)) };
  const each: TermValue[] = [];
  for (const value of found) {
    const inside = value === null ? [null] : extractLiterals(term.extract, value);
    if (inside === undefined || each.length + inside.length > MOST_ELEMENTS) return UNKNOWN;
    for (const one of inside) each.push(applyTerm(term.term, one));
  }
  return { each };
}

/** Maximum number of list elements that one condition tests, because a person could not review a call with more. */
const MOST_ELEMENTS = 65_536;

function resolveSingle({ path, term, extract }: Term, args: JsonRecord): TermValue {
  let value: TermValue = args;
  for (const name of path) {
    if (value === null || value === undefined) return term === "has" ? false : null;
    if (!isRecord(value)) return term === "has" ? false : undefined;
    value = value[name];
  }
  const isAbsent = value === undefined || value === null;
  if (term === "has") return !isAbsent;
  if (isAbsent) return null;
  if (extract !== "none") return term === "count" ? extractLiterals(extract, value)?.length : undefined;
  return applyTerm(term, value);
}

/**
 * Adds the values at the end of a path to `found`; for each list on the path, it adds those of every element. Returns
 * `absent` if a value on the path is missing before any list, and `plain` if no list is on the path.
 */
function visitElements(value: TermValue, path: readonly string[], found: TermValue[]): "absent" | "plain" | "list" {
  if (value === undefined || value === null) return "absent";
  if (isList(value)) {
    for (const element of value) if (visitElements(element, path, found) === "absent") found.push(null);
    return "list";
  }
  const [name, ...rest] = path;
  if (name === undefined) {
    found.push(value);
    return "plain";
  }
  if (isRecord(value)) return visitElements(value[name], rest, found);
  found.push(undefined);
  return "plain";
}

function extractLiterals(extract: Exclude<Term["extract"], "none">, value: TermValue): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  return extract === "urls" ? findUrls(value) : findAddresses(value);
}

/**
 * Returns the result of the function `term`, such as `size` or `domain`, for a value; `undefined` if the function does
 * not apply.
 */
function applyTerm(term: Term["term"], value: TermValue): TermValue {
  if (value === null || value === undefined || term === "value") return value;
  if (term === "count") return isList(value) ? value.length : undefined;
  if (typeof value !== "string") return undefined;
  switch (term) {
    case "size":
      return Buffer.byteLength(value);
    case "origin":
      return parseOrigin(value);
    case "domain":
      return parseDomain(value);
    case "date":
      return parseDateText(value);
    case "duration":
      return parseDurationText(value);
    case "has":
      return undefined;
  }
}
