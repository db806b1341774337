// Makes values of the configuration language CUE in the form that upstream's crate reads. A whole number that is not
// negative must be `uintValue` (capos-config 0.1.0, src/cue.rs, expect_uint).

import type { CueValue } from "../../engine/lib/wire/upstream/generated/upstream.ts";

export function createCueText(text: string): CueValue {
  return { which: "text", text };
}

export function createCueNumber(number: bigint): CueValue {
  return { which: "uintValue", uintValue: number };
}

export function createCueList(list: readonly CueValue[]): CueValue {
  return { which: "list", list };
}

/** Returns a record with the fields in this order; fields without a value are left out. */
export function createCueRecord(fields: Readonly<Record<string, CueValue | undefined>>): CueValue {
  const said = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { which: "fields", fields: said };
}
