// A case may have several right answers, as in BFCL: each argument has a list of right values, with an empty text if the argument may be omitted. Texts are
// compared without spaces, punctuation and case, like BFCL's own judge does.

import { isList, isRecord, type Json, type JsonRecord } from "../../../lib/policy/index.ts";

export interface PossibleCall {
  readonly kind: "possible";
  readonly name: string;
  readonly options: Readonly<Record<string, readonly Json[]>>;
}

export function isPossible(given: JsonRecord, options: PossibleCall["options"]): boolean {
  const isKnown = Object.keys(given).every((key) => Object.hasOwn(options, key));
  return isKnown && Object.entries(options).every(([key, values]) => isOneOf(given[key], values));
}

function isOneOf(given: Json | undefined, values: readonly Json[]): boolean {
  return given === undefined ? values.includes("") : values.some((value) => isSame(given, value));
}

function isSame(given: Json, value: Json): boolean {
  if (typeof given === "string") return typeof value === "string" && stripMarks(given) === stripMarks(value);
  if (isList(given)) {
    if (!isList(value) || given.length !== value.length) return false;
    return given.every((item, index) => isSame(item, value[index] ?? null));
  }
  if (!isRecord(given)) return given === value;
  // Within a record each member has a list of right values.
  if (!isRecord(value)) return false;
  const options = Object.entries(value).map(([key, each]) => [key, isList(each) ? each : [each]] as const);
  return isPossible(given, Object.fromEntries(options));
}

const stripMarks = (text: string): string =>
  text
    .replaceAll(/[ ,./\-_*^]/g, "")
    .replaceAll("'", '"')
    .toLowerCase();
