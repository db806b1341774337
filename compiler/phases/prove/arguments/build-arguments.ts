import { type Json, MAX_JSON_DEPTH, PLAIN_OF_FORM, renderCanonicalJson } from "../../../../engine/lib/policy/index.ts";
import type { Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";

/** A value in the arguments; `path` has the name of the argument, then the names of the fields inside it. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: Json;
}

/**
 * Returns arguments in canonical form with these values. A required member that is not among these values gets the
 * simplest value of its type. An optional member that is not among these values is omitted. Returns `undefined` if a
 * type has no value, such as an empty choice.
 */
export function buildArguments(params: readonly Param[], settings: readonly Setting[]): string | undefined {
  const record = recordWith(params, settings, 1);
  return record === undefined ? undefined : renderCanonicalJson(record);
}

function recordWith(params: readonly Param[], settings: readonly Setting[], depth: number): Json | undefined {
  const record: Record<string, Json> = Object.create(null);
  for (const { name, type, required } of params) {
    const within = settings.filter(({ path }) => path[0] === name);
    if (!required && within.length === 0) continue;
    const value = buildValue(type, within, depth + 1);
    if (value === undefined) return undefined;
    record[name] = value;
  }
  return record;
}

function buildValue(type: Type, within: readonly Setting[], depth: number): Json | undefined {
  const here = within.find(({ path }) => path.length === 1);
  if (here !== undefined) return here.value;
  const deeper = within.map(({ path, value }) => ({ path: path.slice(1), value }));
  return type.which === "record" && deeper.length > 0
    ? recordWith(type.record, deeper, depth)
    : buildDefault(type, depth);
}

function buildDefault(type: Type, depth: number): Json | undefined {
  // Readers refuse values that are nested deeper than `MAX_JSON_DEPTH`, even if the schema of an operator allows them.
  if (depth > MAX_JSON_DEPTH) return undefined;
  switch (type.which) {
    case "boolean":
      return false;
    case "integer":
      return chooseDefaultInteger(type.integer);
    case "number":
      return 0;
    case "text":
      return "";
    case "choice":
      return type.choice[0];
    case "list":
      return [];
    case "record":
      return recordWith(type.record, [], depth);
    case "json":
      return PLAIN_OF_FORM[type.json.form];
    case "either":
      return buildFirst(type.either, depth);
  }
}

/** Returns the simplest value of the first alternative that has a value; `undefined` if no alternative has one. */
function buildFirst(types: readonly Type[], depth: number): Json | undefined {
  for (const type of types) {
    const value = buildDefault(type, depth);
    if (value !== undefined) return value;
  }
  return undefined;
}

function chooseDefaultInteger({ low, high }: { readonly low: bigint; readonly high: bigint }): Json | undefined {
  const nearest = low > 0n ? low : high < 0n ? high : 0n;
  return low > high ? undefined : encodeInteger(nearest);
}

/** Returns the only valid form of an integer: a number up to 2^53 - 1, and decimal text beyond it. */
export function encodeInteger(integer: bigint): Json {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : String(integer);
}

/** Returns the simplest value of one argument; `undefined` if its type has no value. */
export function buildDefaultArgument(type: Type): Json | undefined {
  return buildDefault(type, 2);
}
