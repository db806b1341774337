// Collects rules of a JSON Schema that the gate's types do not enforce: as text for the model, and by name for the
// person who imports the list.

import {
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  renderTolerantJson,
} from "../../../engine/lib/policy/index.ts";
import type { DescribedType } from "./described.ts";
import { type Place, parseBound } from "./json-place.ts";

/**
 * For each type, the keywords of rules that the gate's type does not enforce. They are in the order in which a model
 * reads them.
 */
const RULES: Readonly<Record<DescribedType["which"], readonly string[]>> = {
  text: ["format", "pattern", "minLength", "maxLength"],
  choice: ["pattern", "minLength", "maxLength"],
  boolean: [],
  integer: ["multipleOf", "divisibleBy"],
  number: ["multipleOf", "divisibleBy", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  list: ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains", "prefixItems"],
  record: [
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
  either: [],
  json: [],
};
/** Keywords that constrain a value which the gate does not validate. */
const RULES_OF_JSON = [
  "properties",
  "required",
  "additionalProperties",
  "items",
  "additionalItems",
  "enum",
  "format",
  ...Object.values(RULES).flat(),
  "$ref",
];
/** Keywords that can constrain a value of any type. */
const RULES_BESIDE = [
  "not",
  "anyOf",
  "oneOf",
  "allOf",
  "if",
  "then",
  "else",
  "disallow",
  "extends",
  "$dynamicRef",
  "$recursiveRef",
];
const RULES_OF_JSON_BESIDE = [...RULES_OF_JSON, ...RULES_BESIDE];
/** Keywords for bounds of integers. The gate's types enforce a bound if its value is a number. */
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const MAX_RULE = 200;
/**
 * Maximum length of a rule on a value that the gate does not validate. The limit is high, because the model knows
 * nothing else about the value.
 */
const MAX_RULE_OF_JSON = 600;
export const LEAVE_OUT = "leave it out instead of null";

/**
 * Records the rules of a schema that its type does not enforce. The model gets them as text; the person who imports the
 * schema gets their names.
 */
export function noteRules(schema: JsonRecord, type: DescribedType, place: Place): void {
  const { path, unheld, words, about } = place;
  const rules = listRules(schema, type);
  const each = `${"each item: ".repeat(/(?:\[\])*$/.exec(path)?.[0].length ? 1 : 0)}${about}`;
  const most = type.which === "json" ? MAX_RULE_OF_JSON : MAX_RULE;
  words.push(
    ...rules.map((rule) => `${each}${rule === "enum" ? "one of" : rule} ${shortenRule(schema[rule] ?? null, most)}`),
  );
  const { default: unless } = schema;
  // A default value that the gate refuses is omitted from the text, because the model would use it and be refused.
  if (unless !== undefined && unless !== null && isSayable(unless))
    words.push(`${each}default ${renderTolerantJson(unless)}`);
  const told = type.which === "json" ? ["json"] : rules;
  if (isStricter(schema, type)) told.push("additionalProperties");
  if (type.which !== "json" && takesNull(schema, place)) told.push("null");
  if (type.which === "json" && type.json.form !== "any" && takesNull(schema, place)) told.push("null");
  if (told.length > 0) unheld.push({ path, rules: told });
}

function listRules(schema: JsonRecord, type: DescribedType): string[] {
  if (type.which === "json") return [...new Set(RULES_OF_JSON_BESIDE)].filter((rule) => isTelling(schema[rule]));
  const rules = [...RULES[type.which], ...RULES_BESIDE].filter((rule) => {
    const limit = schema[rule];
    return limit !== undefined && limit !== false;
  });
  if (type.which === "integer") rules.push(...BOUNDS.filter((bound) => isUnread(schema[bound])));
  const word = schema["const"] === undefined ? "enum" : "const";
  const choices = word === "enum" ? schema["enum"] : [schema["const"] ?? null];
  if (choices !== undefined && isList(choices) && isWider(type, choices)) rules.push(word);
  return rules;
}

/** Returns whether a type that was made from choices accepts values other than the choices. */
function isWider(type: DescribedType, choices: readonly Json[]): boolean {
  switch (type.which) {
    case "number":
      return true;
    case "boolean":
      return !(choices.includes(true) && choices.includes(false));
    case "integer":
      return hasGaps(choices);
    case "either":
      return type.either.some((one) => isWider(one, choices));
    default:
      return false;
  }
}

/** Returns whether a rule constrains anything. */
function isTelling(rule: Json | undefined): boolean {
  return rule !== undefined && rule !== true && !(isRecord(rule) && Object.keys(rule).length === 0);
}

/** Returns whether the type refuses members that the schema accepts without describing them. */
function isStricter({ properties, additionalProperties: more }: JsonRecord, { which }: DescribedType): boolean {
  return which === "record" && properties !== undefined && more !== undefined && more !== false;
}

function takesNull(schema: JsonRecord, { wasNullable }: Place): boolean {
  return wasNullable || schema["nullable"] === true || hasWord(schema["type"], "null") || hasWord(schema["enum"], null);
}

function isUnread(bound: Json | undefined): boolean {
  return bound !== undefined && typeof bound !== "boolean" && parseBound(bound) === undefined;
}

function isSayable(value: Json): boolean {
  return !isRecord(value) || findOddity(value) !== undefined;
}

function shortenRule(rule: Json, most: number): string {
  const text = renderTolerantJson(rule);
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

function hasGaps(choices: readonly Json[]): boolean {
  const numbers = new Set(choices.filter((one) => typeof one === "number"));
  return numbers.size > 0 && Math.max(...numbers) - Math.min(...numbers) + 1 !== numbers.size;
}

function hasWord(list: Json | undefined, word: Json): boolean {
  return list !== undefined && isList(list) && list.includes(word);
}
