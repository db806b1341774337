// Values of CUE as upstream's crate reads them: whole numbers that are not negative are `uintValue`, or its readers refuse them
// (capos-config 0.1.0, src/cue.rs, expect_uint).

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

/** In this order; what has no value is left out. */
export function createCueRecord(fields: Readonly<Record<string, CueValue | undefined>>): CueValue {
  const said = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { which: "fields", fields: said };
}
