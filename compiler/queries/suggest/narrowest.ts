// The narrowest condition that a line can have and still hold of observed calls: what the language can say of each argument, by its
// type and meaning. A line has no `or`: calls that no one condition covers beside the others are left.

import {
  compareDecimals,
  decimalFrom,
  isRecord,
  type Json,
  type JsonRecord,
  originOf,
  pathSegments,
} from "../../../engine/lib/policy/index.ts";
import { isName } from "../../../lang/grammar/index.ts";
import { byCodeUnits } from "../../../lang/text/index.ts";
import type { Meaning, Param, Tool } from "../../phases/bind/index.ts";

/** values: what was seen, where that is short and little; bounds: folders, origins, sizes and ranges, and programs by name. */
export const WAYS = ["values", "bounds"] as const;
export type Way = (typeof WAYS)[number];

interface Narrowest {
  /** As the page writes them; none: nothing can be said of the arguments. */
  readonly checks: readonly string[];
  /** Indexes of the calls that they hold of. */
  readonly covered: readonly number[];
  /** Arguments of which nothing is said. */
  readonly free: readonly string[];
}

const MOST_VALUES = 8;
const LONGEST_VALUE = 64;

/** What is said of one argument, and which of the calls it leaves. */
type Said = { readonly checks: readonly string[]; readonly left?: ReadonlySet<number> } | "free";

export function narrowestFor(tool: Tool, calls: readonly JsonRecord[], way: Way): Narrowest {
  const checks: string[] = [];
  const free: string[] = [];
  let covered = calls.map((_, index) => index);
  for (const argument of argumentsIn(tool)) {
    const values = new Map(covered.map((index) => [index, valueAt(calls[index] ?? {}, argument.path)]));
    const said = saidOf(argument, values, way);
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

/** Arguments and fields inside of them, in the order of their declaration. */
function argumentsIn({ method }: Tool): readonly Argument[] {
  const within = (prefix: readonly string[], params: readonly Param[]): readonly Argument[] =>
    params.flatMap(({ name, type }): readonly Argument[] => {
      const path = [...prefix, name];
      if (type.which === "record") return within(path, type.record);
      return [{ path, type, meaning: prefix.length === 0 ? method.meanings.get(name) : undefined }];
    });
  return within([], method.description.params);
}

function valueAt(call: JsonRecord, path: readonly string[]): Json | undefined {
  let value: Json | undefined = call;
  for (const name of path) value = value !== undefined && isRecord(value) ? value[name] : undefined;
  return value;
}

type Values = ReadonlyMap<number, Json | undefined>;

function saidOf({ path, type, meaning }: Argument, values: Values, way: Way): Said {
  const name = path.map(wordOf).join(".");
  // Of an argument that a call leaves out a check cannot be made, and takes the strictest mode: a line is for the calls that
  // have it, or, where fewer have it than not, for all of them.
  const without = [...values].flatMap(([index, value]) => (value === undefined ? [index] : []));
  if (without.length === 0) return saidOfGiven(name, type, meaning, values, way);
  if (without.length * 2 > values.size) return "free";
  const given = new Map([...values].filter(([, value]) => value !== undefined));
  const said = saidOfGiven(name, type, meaning, given, way);
  return said === "free" ? said : { ...said, left: new Set([...without, ...(said.left ?? [])]) };
}

function saidOfGiven(name: string, type: Param["type"], meaning: Meaning | undefined, values: Values, way: Way): Said {
  switch (type.which) {
    case "boolean":
      return ofOne(name, [...new Set(values.values())].map(String));
    case "choice":
      return ofTexts(name, values, type.choice.length);
    case "integer":
    case "number":
      return ofRange(name, type, values);
    case "text":
      return ofText(name, meaning, values, { way, most: type.text.maxBytes });
    case "list":
    case "record":
      return "free";
  }
}

/** How texts are said, and how many bytes they have at most; 0 where the schema has no limit. */
interface OfTexts {
  readonly way: Way;
  readonly most: number;
}

function ofText(name: string, meaning: Meaning | undefined, values: Values, { way, most }: OfTexts): Said {
  switch (meaning?.kind) {
    case "path":
      return ofPaths(name, values, way);
    case "url":
      return ofOrigins(name, values);
    case "money":
      return ofMoney(name, meaning.currency, values);
    case "program":
    case "text":
    case undefined: {
      // How long the name of a program is says nothing of what runs.
      const isNamed = way === "values" || meaning?.kind === "program";
      const texts = isNamed ? ofTexts(name, values, MOST_VALUES) : "free";
      return texts === "free" ? ofSizes(name, values, most) : texts;
    }
  }
}

function ofOne(name: string, distinct: readonly string[]): Said {
  return distinct.length === 1 ? { checks: [`${name} == ${distinct[0]}`] } : "free";
}

/** Words that a page can write, and few of them. */
function ofTexts(name: string, values: Values, most: number): Said {
  const texts = [...new Set(values.values())].filter((value) => typeof value === "string").sort(byCodeUnits);
  const isPlain = texts.every((text) => text.length <= LONGEST_VALUE && /^[\p{L}\p{N}\p{P}\p{S} ]*$/u.test(text));
  if (!isPlain || texts.length > most) return "free";
  const words = texts.map((text) => JSON.stringify(text));
  return { checks: [words.length === 1 ? `${name} == ${words[0]}` : `${name} in [${words.join(", ")}]`] };
}

/** A size that the schema has anyway is no check: every call would meet it. */
function ofSizes(name: string, values: Values, limit: number): Said {
  const sizes = [...values.values()].map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0));
  const most = sizes.reduce((before, size) => Math.max(before, size), 0);
  return limit > 0 && most >= limit ? "free" : { checks: [`size(${name}) <= ${most}`] };
}

/** One number, or from the least to the most, but for the bounds that the schema has anyway. */
function ofRange(name: string, type: Param["type"], values: Values): Said {
  const decimals = [...values.values()].map((value) => String(value));
  if (!decimals.every((text) => /^-?\d+(\.\d+)?$/.test(text))) return "free";
  const [least, most] = ends(decimals);
  if (least === most) return { checks: [`${name} == ${least}`] };
  const [low, high] = type.which === "integer" ? [String(type.integer.low), String(type.integer.high)] : [];
  const checks = [...(least === low ? [] : [`${name} >= ${least}`]), ...(most === high ? [] : [`${name} <= ${most}`])];
  return checks.length === 0 ? "free" : { checks };
}

function ofMoney(name: string, currency: string, values: Values): Said {
  const amounts = [...values.values()].map((value) => String(value));
  if (!amounts.every((text) => decimalFrom(text) !== undefined)) return "free";
  return { checks: [`${name} <= ${ends(amounts)[1]} ${currency}`] };
}

function ends(decimals: readonly string[]): readonly [string, string] {
  const sorted = [...decimals].sort((one, other) => {
    const [left, right] = [decimalFrom(one), decimalFrom(other)];
    return left === undefined || right === undefined ? 0 : compareDecimals(left, right);
  });
  return [sorted[0] ?? "0", sorted.at(-1) ?? "0"];
}

/** The deepest folder that holds them all: of a single file that file. Where there is none but the top, of most of them. */
function ofPaths(name: string, values: Values, way: Way): Said {
  const segments = new Map<number, readonly string[]>();
  for (const [index, value] of values) {
    const found = typeof value === "string" ? pathSegments(value) : undefined;
    if (found !== undefined && found.length > 0) segments.set(index, way === "bounds" ? folderOf(found) : found);
  }
  const [top] = mostCommon([...segments.values()].map(([first = ""]) => first));
  const kept = [...segments].filter(([, [first]]) => first === top);
  const [shortest = []] = kept.map(([, path]) => path).sort((one, other) => one.length - other.length);
  const depth = shortest.findIndex((segment, at) => kept.some(([, path]) => path[at] !== segment));
  const common = depth === -1 ? shortest : shortest.slice(0, depth);
  if (common.length === 0 || !common.every((segment) => /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(segment))) return "free";
  const held = new Set(kept.map(([index]) => index));
  const left = new Set([...values.keys()].filter((index) => !held.has(index)));
  return { checks: [`${name} under ${JSON.stringify(`/${common.join("/")}`)}`], left };
}

/** The file itself, where it lies in none. */
function folderOf(segments: readonly string[]): readonly string[] {
  return segments.length === 1 ? segments : segments.slice(0, -1);
}

function ofOrigins(name: string, values: Values): Said {
  const origins = new Map(
    [...values].map(([index, value]) => [index, typeof value === "string" ? originOf(value) : undefined]),
  );
  const common = mostCommon([...origins.values()].flatMap((origin) => origin ?? [])).slice(0, MOST_VALUES);
  if (common.length === 0) return "free";
  const left = new Set([...origins].flatMap(([index, origin]) => (common.includes(origin ?? "") ? [] : [index])));
  const words = [...common].sort(byCodeUnits).map((origin) => JSON.stringify(origin));
  return { checks: [`origin(${name}) in [${words.join(", ")}]`], left };
}

/** Each once, the most frequent first; of equally frequent ones by code units. */
function mostCommon(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.keys()].sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || byCodeUnits(one, other),
  );
}

/** A name that is a word of the language, or no name of it, stands in quotes. */
function wordOf(name: string): string {
  return isName(name) ? name : JSON.stringify(name);
}
