// A person's call in words: `/tool calc 100 * 42`. The tools of the conversation determine the tool and its arguments; the call itself is
// decided like any other.

import { type AdvertisedTool, isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Param, Type } from "../../../lib/wire/generated/policy.ts";
import { escapeArrows } from "../drawn-text.ts";
import { excerpt } from "../result.ts";

/**
 * Returns the tool's name. A name without a dot names a method; fails if several tools have this method. An unknown
 * name is returned unchanged.
 */
export function resolveToolName(tools: readonly AdvertisedTool[], name: string): Result<string> {
  const found = name.includes(".") ? [] : tools.filter(({ tool }) => tool.methodName === name);
  const [only, another] = found.map(({ tool }) => tool.name);
  if (only === undefined) return accept(name);
  return another === undefined
    ? accept(only)
    : refuse(`${excerpt(name)} is ${found.map(({ tool }) => tool.name).join(", ")}`);
}

/**
 * Returns the arguments as JSON. Each required argument takes one word, in the order of the interface, and the last
 * argument takes the remaining words.
 */
export function parseArguments(params: readonly Param[], words: string): string {
  const needed = params.filter(({ required }) => required);
  const given: Record<string, Json> = {};
  let left = words.trim();
  for (const [index, { name, type }] of needed.entries()) {
    if (left === "") break;
    const end = index === needed.length - 1 ? left.length : (/\s/.exec(left)?.index ?? left.length);
    given[name] = parseWord(type, left.slice(0, end));
    left = left.slice(end).trim();
  }
  // Words without a parameter become an unknown argument, which is refused as such.
  return JSON.stringify(left === "" ? given : { ...given, [left]: left });
}

/** Returns a word as a value of its type. A word that does not fit remains text, so that the gate can say what is wrong. */
function parseWord(type: Type, word: string): Json {
  if (type.which === "boolean" && (word === "true" || word === "false")) return word === "true";
  if ((type.which === "integer" || type.which === "number") && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(word))
    return Number(word);
  return word;
}

/**
 * Returns the line that a result has for a person, in the member `said`; `undefined` if there is none. Line breaks are removed,
 * because the text after one could imitate a line of the gate.
 */
export function extractSaid(content: string): string | undefined {
  const read = readJson(content);
  const said = read.ok && isRecord(read.value) ? read.value["said"] : undefined;
  return typeof said === "string" ? escapeArrows(excerpt(said.replace(/[\p{Cc}\u2028\u2029]+/gu, " "))) : undefined;
}
