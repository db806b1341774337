// Finds the narrowest condition of a line that still covers observed calls. It uses the checks that the language has
// for each argument, by its type and meaning. The language has no `or`, so a call must meet all checks of a condition.
// A call that fails a check is left out, and the condition does not cover it.

import {
  compareDecimals,
  isRecord,
  type Json,
  type JsonRecord,
  parseDecimal,
  parseOrigin,
  parsePathSegments,
} from "../../../engine/lib/policy/index.ts";
import { isName } from "../../../lang/grammar/index.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { Meaning, Param, Tool } from "../../phases/bind/index.ts";

/**
 * Kinds of checks. `values`: the observed values, if they are short and few. `bounds`: folders, origins, sizes and
 * ranges, and names of programs.
 */
export const WAYS = ["values", "bounds"] as const;
export type Way = (typeof WAYS)[number];

interface Narrowest {
  /** Checks as the page writes them; empty if no check on the arguments is possible. */
  readonly checks: readonly string[];
  /** Indexes of the calls for which all checks hold. */
  readonly covered: readonly number[];
  /** Arguments without a check. */
  readonly free: readonly string[];
}

const MOST_VALUES = 8;
const LONGEST_VALUE = 64;

/** Checks on one argument, with the indexes of calls that they exclude; `free` if no check is possible. */
type Said = { readonly checks: readonly string[]; readonly left?: ReadonlySet<number> } | "free";

export function findNarrowest(tool: Tool, calls: readonly JsonRecord[], way: Way): Narrowest {
  const checks: string[] = [];
  const free: string[] = [];
  let covered = calls.map((_, index) => index);
  for (const argument of listArguments(tool)) {
    const values = new Map(covered.map((index) => [index, getValue(calls[index] ?? {}, argument.path)]));
    const said = narrowArgument(argument, values, way);
    if (said === "free") free.push(argument.path.join("."));
    else {
      checks.push(...said.checks);
      covered = covered.filter((index) => said.left?.has(index) !== true);
    }
  }
  return { checks, covered, free };
}

interface Argument {
  readonly path: readonly string[];
  readonly type: Param["type"];
  readonly meaning: Meaning | undefined;
}

/** Returns arguments and their inner fields, in the order of declaration. */
function listArguments({ method }: Tool): readonly Argument[] {
  const listFields = (prefix: readonly string[], params: readonly Param[]): readonly Argument[] =>
    params.flatMap(({ name, type }): readonly Argument[] => {
      const path = [...prefix, name];
      if (type.which === "record") return listFields(path, type.record);
      return [{ path, type, meaning: prefix.length === 0 ? method.meanings.get(name) : undefined }];
    });
  return listFields([], method.description.params);
}

function getValue(call: JsonRecord, path: readonly string[]): Json | undefined {
  let value: Json | undefined = call;
  for (const name of path) value = value !== undefined && isRecord(value) ? value[name] : undefined;
  return value;
}

type Values = ReadonlyMap<number, Json | undefined>;

function narrowArgument({ path, type, meaning }: Argument, values: Values, way: Way): Said {
  const name = path.map(quoteName).join(".");
  // If a call omits an argument, a check on this argument cannot be evaluated, and the line gets its strictest mode. So
  // a line with the check cannot allow the calls that omit the argument. If most calls omit it, the line gets no check
  // on it.
  const without = [...values].flatMap(([index, value]) => (value === undefined ? [index] : []));
  if (without.length === 0) return narrowGiven({ name, type, meaning }, values, way);
  if (without.length * 2 > values.size) return "free";
  const given = new Map([...values].filter(([, value]) => value !== undefined));
  const said = narrowGiven({ name, type, meaning }, given, way);
  return said === "free" ? said : { ...said, left: new Set([...without, ...(said.left ?? [])]) };
}

/** An argument by name, with its type and the meaning that the page gives it. */
interface GivenArgument {
  readonly name: string;
  readonly type: Param["type"];
  readonly meaning: Meaning | undefined;
}

function narrowGiven({ name, type, meaning }: GivenArgument, values: Values, way: Way): Said {
  switch (type.which) {
    case "boolean":
      return narrowConstant(name, [...new Set(values.values())].map(String));
    case "choice":
      return narrowTexts(name, values, type.choice.length);
    case "integer":
    case "number":
      return narrowRange(name, type, values);
    case "text":
      return narrowText(name, meaning, values, { way, most: type.text.maxBytes });
    case "list":
    case "record":
    case "json":
    case "either":
      return "free";
  }
}

/**
 * The kind of checks on texts, and the maximum number of bytes that the schema allows; 0 if the schema sets no limit.
 */
interface OfTexts {
  readonly way: Way;
  readonly most: number;
}

function narrowText(name: string, meaning: Meaning | undefined, values: Values, { way, most }: OfTexts): Said {
  switch (meaning?.kind) {
    case "path":
      return narrowPaths(name, values, way);
    case "url":
      return narrowOrigins(name, values);
    case "money":
      return narrowMoney(name, meaning.currency, values);
    case "program":
    case "text":
    case undefined: {
      // A check on the length of a program's name would not limit the program that runs.
      const isNamed = way === "values" || meaning?.kind === "program";
      const texts = isNamed ? narrowTexts(name, values, MOST_VALUES) : "free";
      return texts === "free" ? narrowSizes(name, values, most) : texts;
    }
  }
}

function narrowConstant(name: string, distinct: readonly string[]): Said {
  return distinct.length === 1 ? { checks: [`${name} == ${distinct[0]}`] } : "free";
}

/** Returns a check that compares with a few texts, if a page can contain these texts. */
function narrowTexts(name: string, values: Values, most: number): Said {
  const texts = [...new Set(values.values())].filter((value) => typeof value === "string").sort(compareCodeUnits);
  const isPlain = texts.every((text) => text.length <= LONGEST_VALUE && /^[\p{L}\p{N}\p{P}\p{S} ]*$/u.test(text));
  if (!isPlain || texts.length > most) return "free";
  const words = texts.map((text) => JSON.stringify(text));
  return { checks: [words.length === 1 ? `${name} == ${words[0]}` : `${name} in [${words.join(", ")}]`] };
}

/**
 * Returns a check on the size of a text. A limit that the schema already sets is left out, because every call meets it.
 */
function narrowSizes(name: string, values: Values, limit: number): Said {
  const sizes = [...values.values()].map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0));
  const most = sizes.reduce((before, size) => Math.max(before, size), 0);
  return limit > 0 && most >= limit ? "free" : { checks: [`size(${name}) <= ${most}`] };
}

/** Returns a check for one number, or for a range. Bounds that the schema already sets are left out. */
function narrowRange(name: string, type: Param["type"], values: Values): Said {
  const decimals = [...values.values()].map((value) => String(value));
  if (!decimals.every((text) => /^-?\d+(\.\d+)?$/.test(text))) return "free";
  const [least, most] = findBounds(decimals);
  if (least === most) return { checks: [`${name} == ${least}`] };
  const [low, high] = type.which === "integer" ? [String(type.integer.low), String(type.integer.high)] : [];
  const checks = [...(least === low ? [] : [`${name} >= ${least}`]), ...(most === high ? [] : [`${name} <= ${most}`])];
  return checks.length === 0 ? "free" : { checks };
}

function narrowMoney(name: string, currency: string, values: Values): Said {
  const amounts = [...values.values()].map((value) => String(value));
  if (!amounts.every((text) => parseDecimal(text) !== undefined)) return "free";
  return { checks: [`${name} <= ${findBounds(amounts)[1]} ${currency}`] };
}

function findBounds(decimals: readonly string[]): readonly [string, string] {
  const sorted = [...decimals].sort((one, other) => {
    const [left, right] = [parseDecimal(one), parseDecimal(other)];
    return left === undefined || right === undefined ? 0 : compareDecimals(left, right);
  });
  return [sorted[0] ?? "0", sorted.at(-1) ?? "0"];
}

/**
 * Returns a check for the deepest folder that contains all paths. For a single file, the check names the file. If only
 * the root contains all paths, the check names the folder with the most paths.
 */
function narrowPaths(name: string, values: Values, way: Way): Said {
  const segments = new Map<number, readonly string[]>();
  for (const [index, value] of values) {
    const found = typeof value === "string" ? parsePathSegments(value) : undefined;
    if (found !== undefined && found.length > 0) segments.set(index, way === "bounds" ? getFolder(found) : found);
  }
  const [top] = rankByFrequency([...segments.values()].map(([first = ""]) => first));
  const kept = [...segments].filter(([, [first]]) => first === top);
  const [shortest = []] = kept.map(([, path]) => path).sort((one, other) => one.length - other.length);
  const depth = shortest.findIndex((segment, at) => kept.some(([, path]) => path[at] !== segment));
  const common = depth === -1 ? shortest : shortest.slice(0, depth);
  if (common.length === 0 || !common.every((segment) => /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(segment))) return "free";
  const held = new Set(kept.map(([index]) => index));
  const left = new Set([...values.keys()].filter((index) => !held.has(index)));
  return { checks: [`${name} under ${JSON.stringify(`/${common.join("/")}`)}`], left };
}

/** Returns the folder of a file, or the file itself if it is not in a folder. */
function getFolder(segments: readonly string[]): readonly string[] {
  return segments.length === 1 ? segments : segments.slice(0, -1);
}

function narrowOrigins(name: string, values: Values): Said {
  const origins = new Map(
    [...values].map(([index, value]) => [index, typeof value === "string" ? parseOrigin(value) : undefined]),
  );
  const common = rankByFrequency([...origins.values()].flatMap((origin) => origin ?? [])).slice(0, MOST_VALUES);
  if (common.length === 0) return "free";
  const left = new Set([...origins].flatMap(([index, origin]) => (common.includes(origin ?? "") ? [] : [index])));
  const words = [...common].sort(compareCodeUnits).map((origin) => JSON.stringify(origin));
  return { checks: [`origin(${name}) in [${words.join(", ")}]`], left };
}

/** Returns the words without duplicates, the most frequent first. Equally frequent words are in code-unit order. */
function rankByFrequency(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.keys()].sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || compareCodeUnits(one, other),
  );
}

/** Returns a name, quoted if it is a reserved word or not a valid name. */
function quoteName(name: string): string {
  return isName(name) ? name : JSON.stringify(name);
}
