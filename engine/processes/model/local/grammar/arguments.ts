// Builds the grammar of a tool's arguments from its schema. Every sentence of the grammar is JSON that the schema
// accepts, except that the length of long texts is not checked. Members are in the
// schema's order: all required ones, and any of the optional ones.

import { isList, isRecord, type Json, type JsonRecord } from "../../../../lib/policy/index.ts";
import {
  type Expression,
  excludeCharacters,
  makeCharacters,
  makeChoice,
  makeRepeated,
  makeSequence,
  makeWords,
  NOTHING,
} from "./expression.ts";
import { buildIntegers } from "./integers.ts";

/**
 * Maximum length of a text whose characters the grammar counts, to enforce the schema's limit. The engine unrolls
 * counted repetitions, and cuts a text off at the limit. If the schema allows more, the grammar does not count, and the
 * model writes the whole text. If the text is too long, the gate refuses it with a message that the model reads.
 */
const MOST_COUNTED = 256;
/** Maximum nesting of records; deeper schemas would be unreadable for a model. */
const MOST_DEPTH = 8;
/**
 * Maximum number of optional members of a record without required members. Any of them may come first, because the
 * members before it may be absent. With more such members, the grammar of the tool would be too large.
 */
const MOST_FIRST = 128;

/** Returns the grammar of the object that a schema describes, or `undefined` if the schema uses an unknown keyword. */
export function buildArguments(schema: Json): Expression | undefined {
  return isRecord(schema) && schema["type"] === "object" ? buildValue(schema, -1) : undefined;
}

/**
 * Keywords that are read for each type, in addition to the type and its description. A schema with any other keyword
 * gets no grammar, because the keyword may forbid what the grammar would allow.
 */
const READ: Readonly<Record<string, readonly string[]>> = {
  boolean: [],
  integer: ["minimum", "maximum"],
  number: [],
  string: ["maxLength"],
  array: ["items"],
  object: ["properties", "required", "additionalProperties"],
};

/** Returns the entry of a type, or `undefined` if the type has none. Names that every object has, such as `constructor`, are not types. */
function findByType<T>(known: Readonly<Record<string, T>>, type: Json | undefined): T | undefined {
  return typeof type === "string" && Object.hasOwn(known, type) ? known[type] : undefined;
}

function hasOnly(schema: JsonRecord, words: readonly string[]): boolean {
  return Object.keys(schema).every((word) => word === "type" || word === "description" || words.includes(word));
}

function buildValue(schema: Json | undefined, depth: number): Expression | undefined {
  if (schema === undefined || !isRecord(schema) || depth > MOST_DEPTH) return undefined;
  if (schema["enum"] !== undefined) return buildOneOf(schema);
  if (schema["anyOf"] !== undefined) return buildEither(schema, depth);
  if (!hasOnly(schema, findByType(READ, schema["type"]) ?? [])) return undefined;
  switch (schema["type"]) {
    case "boolean":
      return makeChoice(makeWords("true"), makeWords("false"));
    case "integer":
      return buildInteger(schema);
    case "number":
      return NUMBER;
    case "string":
      return buildString(schema);
    case "array":
      return schema["items"] === undefined ? FREE_LIST : list(buildValue(schema["items"], depth + 1));
    case "object":
      return schema["properties"] === undefined && hasOnly(schema, []) ? FREE_RECORD : record(schema, depth + 1);
    case undefined:
      return FREE_VALUE;
    default:
      return undefined;
  }
}

/** Whether an option is of a type. Lists and records cannot be options. */
const IS_OF: Readonly<Record<string, (option: Json) => boolean>> = {
  boolean: (option) => typeof option === "boolean",
  integer: Number.isInteger,
  number: (option) => typeof option === "number",
  string: (option) => typeof option === "string",
};

/** Returns the grammar of a value that fits one of several schemas; `undefined` if one of them is not supported. */
function buildEither(schema: JsonRecord, depth: number): Expression | undefined {
  const { anyOf } = schema;
  if (anyOf === undefined || !isList(anyOf) || anyOf.length === 0 || !hasOnly(schema, ["anyOf"])) return undefined;
  const alternatives = anyOf.map((one) => buildValue(one, depth + 1));
  const built = alternatives.filter((one) => one !== undefined);
  return built.length === anyOf.length && schema["type"] === undefined ? makeChoice(...built) : undefined;
}

/**
 * Returns the grammar of an enum. Options of another type than the schema's own are left out, because no valid value has them. Returns
 * `undefined` if no option is left, or if the schema is not supported.
 */
function buildOneOf(schema: JsonRecord): Expression | undefined {
  const { type, enum: options } = schema;
  const isOf = findByType(IS_OF, type);
  if (isOf === undefined || options === undefined || !isList(options) || !hasOnly(schema, ["enum"])) return undefined;
  const taken = options.filter(isOf);
  return taken.length === 0 ? undefined : makeChoice(...taken.map((option) => makeWords(JSON.stringify(option))));
}

const DIGIT = makeCharacters([0x30, 0x39]);
/** Numbers of JSON with a limited number of digits: without the limit, a small model tends to write endless digits. */
const NUMBER = makeSequence(
  makeRepeated(makeWords("-"), 0, 1),
  makeChoice(makeWords("0"), makeSequence(makeCharacters([0x31, 0x39]), makeRepeated(DIGIT, 0, 14))),
  makeRepeated(makeSequence(makeWords("."), makeRepeated(DIGIT, 1, 8)), 0, 1),
);

function buildInteger({ minimum, maximum }: JsonRecord): Expression | undefined {
  const isBound = (bound: Json | undefined): bound is number | undefined =>
    bound === undefined || (typeof bound === "number" && Number.isInteger(bound));
  if (!isBound(minimum) || !isBound(maximum)) return undefined;
  return buildIntegers(BigInt(minimum ?? Number.MIN_SAFE_INTEGER), BigInt(maximum ?? Number.MAX_SAFE_INTEGER));
}

/**
 * Character of a text. The grammar excludes numeric escapes, which could write half of a surrogate pair. The grammar
 * also excludes U+FFFD, which stands for bytes that are not UTF-8: a call with U+FFFD is refused.
 */
const CHARACTER = makeChoice(
  excludeCharacters([0x22, 0x22], [0x5c, 0x5c], [0, 0x1f], [0x7f, 0x7f], [0xfffd, 0xfffd]),
  makeSequence(makeWords("\\"), makeChoice(...['"', "\\", "/", "b", "f", "n", "r", "t"].map(makeWords))),
);

const isCount = (value: Json): value is number => typeof value === "number" && Number.isInteger(value) && value >= 0;

function buildString({ maxLength }: JsonRecord): Expression | undefined {
  if (maxLength !== undefined && !isCount(maxLength)) return undefined;
  const length = maxLength !== undefined && maxLength <= MOST_COUNTED ? maxLength : undefined;
  return makeSequence(makeWords('"'), length === 0 ? NOTHING : makeRepeated(CHARACTER, 0, length), makeWords('"'));
}

/**
 * Returns the grammar of a list of any length: the grammar does not enforce limits of lists. Returns `undefined` if the items have no
 * grammar.
 */
function list(item: Expression | undefined): Expression | undefined {
  if (item === undefined) return undefined;
  const more = makeRepeated(makeSequence(makeWords(", "), item), 0);
  return makeSequence(makeWords("["), makeRepeated(makeSequence(item, more), 0, 1), makeWords("]"));
}

interface Member {
  readonly text: Expression;
  readonly isRequired: boolean;
}

function record({ properties, required, additionalProperties }: JsonRecord, depth: number): Expression | undefined {
  if (properties === undefined || !isRecord(properties) || additionalProperties !== false) return undefined;
  if (required !== undefined && !isList(required)) return undefined;
  if (required?.some((name) => typeof name !== "string" || !Object.hasOwn(properties, name))) return undefined;
  const members: Member[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const member = buildValue(schema, depth);
    if (member === undefined) return undefined;
    const text = makeSequence(makeWords(`${JSON.stringify(name)}: `), member);
    members.push({ text, isRequired: required?.includes(name) ?? false });
  }
  const text = buildMembers(members);
  return text && makeSequence(makeWords("{"), text, makeWords("}"));
}

/**
 * Returns the grammar of required members and then optional ones, with a comma between those present. Returns `undefined` if too
 * many members could be the first, because each possible first member needs a copy of all later members.
 */
function buildMembers(members: readonly Member[]): Expression | undefined {
  const comma = makeWords(", ");
  const collectTexts = (need: "required" | "optional"): Expression[] =>
    members.flatMap((each) => (each.isRequired === (need === "required") ? each.text : []));
  const [required, optional] = [collectTexts("required"), collectTexts("optional")];
  const behind = optional.map((text) => makeRepeated(makeSequence(comma, text), 0, 1));
  const head = required.flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
  if (head.length > 0) return makeSequence(...head, ...behind);
  if (optional.length > MOST_FIRST) return undefined;
  const firsts = optional.map((text, index) => makeSequence(text, ...behind.slice(index + 1)));
  return makeChoice(...firsts, NOTHING);
}

const TEXT = makeSequence(makeWords('"'), makeRepeated(CHARACTER, 0), makeWords('"'));

function repeatWithin(open: string, item: Expression, close: string): Expression {
  const more = makeRepeated(makeSequence(makeWords(", "), item), 0);
  return makeSequence(makeWords(open), makeRepeated(makeSequence(item, more), 0, 1), makeWords(close));
}

/** Maximum nesting of values that have no schema; models of this size do not write deeper values well. */
const MOST_FREE_DEPTH = 2;

function buildFreeForms(depth: number): { readonly list: Expression; readonly record: Expression } {
  const value = buildFreeValue(depth - 1);
  return {
    list: repeatWithin("[", value, "]"),
    record: repeatWithin("{", makeSequence(TEXT, makeWords(": "), value), "}"),
  };
}

function buildFreeValue(depth: number): Expression {
  const plain = [TEXT, NUMBER, ...["true", "false", "null"].map(makeWords)];
  if (depth === 0) return makeChoice(...plain);
  const { list, record } = buildFreeForms(depth);
  return makeChoice(...plain, list, record);
}

const { list: FREE_LIST, record: FREE_RECORD } = buildFreeForms(MOST_FREE_DEPTH);
const FREE_VALUE = buildFreeValue(MOST_FREE_DEPTH);
