// Makes manifests with exactly one changed value.

import type { CueValue } from "../../../../../engine/lib/wire/upstream/generated/upstream.ts";

/** Returns a CUE value in which the value at the path is replaced, or removed if `value` is `undefined`. */
export function changedAt(at: CueValue, path: readonly string[], value: CueValue | undefined): CueValue {
  const [key = "", ...rest] = path;
  const inner = (each: CueValue) => (rest.length === 0 ? value : changedAt(each, rest, value));
  if (at.which === "list")
    return {
      which: "list",
      list: at.list.flatMap((each, index) => (`${index}` === key ? (inner(each) ?? []) : [each])),
    };
  if (at.which !== "fields") throw new Error(`nothing is below ${at.which}`);
  const known = at.fields.some(({ name }) => name === key);
  const fields = known ? at.fields : [...at.fields, { name: key, value: { which: "null" } as const }];
  const made = fields.flatMap((field) => {
    const kept = field.name === key ? inner(field.value) : field.value;
    return kept === undefined ? [] : [{ name: field.name, value: kept }];
  });
  return { which: "fields", fields: made };
}

export const text = (word: string): CueValue => ({ which: "text", text: word });
export const uint = (number: bigint): CueValue => ({ which: "uintValue", uintValue: number });

/** Returns the value at the path. Throws if the path leads to no value. */
export function valueAt(at: CueValue, path: readonly string[]): CueValue {
  return path.reduce((value, key): CueValue => {
    const next =
      value.which === "list"
        ? value.list[Number(key)]
        : value.which === "fields"
          ? value.fields.find(({ name }) => name === key)?.value
          : undefined;
    if (next === undefined) throw new Error(`there is no ${key}`);
    return next;
  }, at);
}
