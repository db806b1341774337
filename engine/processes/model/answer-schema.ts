// The JSON Schema of an answer, within the keywords that schemas of tools use. The schema is read before any request, and every
// backend's answer is checked against it: a provider that accepts a schema may still ignore it. No validator that compiles code runs
// here.

import { isList, isRecord, type Json, type JsonRecord, readJson } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";

/**
 * Maximum length of a schema in bytes, and maximum number of its parts, which are the schema itself and the schemas
 * inside it. Each part of the schema checks each value of an answer at most once, so the time of the check is bounded.
 */
const MOST_SCHEMA_BYTES = 65_536;
const MOST_PARTS = 512;
/** Maximum nesting of schemas inside a schema, as in the grammar of a local model. */
const MOST_DEPTH = 8;
const MOST_OPTIONS = 1024;
/** Maximum characters of an answer; a loop does not read longer answers. */
const MOST_ANSWER = 65_536;

export interface AnswerSchema {
  readonly json: JsonRecord;
  /** Returns why the text does not fit this schema, without quoting the answer; `undefined` if it fits. */
  readonly check: (text: string) => string | undefined;
}

/**
 * Returns why a value does not fit, or `undefined`. `at` is the path to the value, made of names in the schema and not
 * of text in the answer.
 */
type Check = (value: Json, at: string) => string | undefined;

/**
 * Reads the schema of an answer, which must be a JSON object. Fails if the schema uses keywords that are not checked here, or is too
 * large.
 */
export function readAnswerSchema(text: string): Result<AnswerSchema> {
  if (Buffer.byteLength(text) > MOST_SCHEMA_BYTES) return refuse(`it is longer than ${MOST_SCHEMA_BYTES} bytes`);
  const read = readJson(text);
  if (!read.ok) return refuse(`it is not JSON: ${read.reason}`);
  const json = read.value;
  if (!isRecord(json) || json["type"] !== "object") return refuse('its "type" is not "object"');
  const reader = new SchemaReader();
  const fits = reader.read(json, "the answer", 0);
  return fits.ok ? accept({ json, check: (answer) => checkText(answer, fits.value) }) : fits;
}

function checkText(text: string, check: Check): string | undefined {
  if (text.length > MOST_ANSWER) return `the answer is longer than ${MOST_ANSWER} characters`;
  const read = readJson(text);
  return read.ok ? check(read.value, "the answer") : "the answer is not JSON";
}

/**
 * Keywords that are read for each type. A schema with an unknown keyword is refused, because the keyword may forbid a value that would be
 * accepted here.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  boolean: [],
  integer: ["minimum", "maximum"],
  number: [],
  string: ["maxLength"],
  array: ["items"],
  object: ["properties", "required", "additionalProperties"],
};
const ABOUT = ["type", "description"];

/** All keywords of JSON Schema that this file reads. */
export const SCHEMA_WORDS: ReadonlySet<string> = new Set([
  ...Object.keys(WORDS),
  ...Object.values(WORDS).flat(),
  ...ABOUT,
  "enum",
  "anyOf",
]);

class SchemaReader {
  #parts = 0;

  read(schema: Json | undefined, at: string, depth: number): Result<Check> {
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) return refuse(`it has more than ${MOST_PARTS} parts`);
    if (depth > MOST_DEPTH) return refuse(`it is deeper than ${MOST_DEPTH} levels`);
    if (schema === undefined || !isRecord(schema)) return refuse(`${at}: a schema is not an object`);
    const { type, enum: options, anyOf } = schema;
    if (anyOf !== undefined) return this.#readEither(schema, at, depth);
    if (options !== undefined) return readOptions(schema, at);
    const words = type === undefined ? [] : findWords(type);
    if (words === undefined) return refuse(`${at}: this "type" is not supported`);
    const stranger = findStranger(schema, words);
    if (stranger !== undefined) return refuse(`${at}: ${stranger} is not supported`);
    switch (type) {
      case "boolean":
        return accept((value, path) => (typeof value === "boolean" ? undefined : `${path} is not true or false`));
      case "number":
        return accept((value, path) => (typeof value === "number" ? undefined : `${path} is not a number`));
      case "integer":
        return readInteger(schema, at);
      case "string":
        return readText(schema, at);
      case "array":
        return this.#readList(schema, at, depth);
      case "object":
        return this.#readRecord(schema, at, depth);
      default:
        return accept(() => undefined);
    }
  }

  #readList({ items }: JsonRecord, at: string, depth: number): Result<Check> {
    if (items === undefined) return accept((value, path) => (isList(value) ? undefined : `${path} is not a list`));
    const item = this.read(items, `${at}[]`, depth + 1);
    if (!item.ok) return item;
    return accept((value, path) => {
      if (!isList(value)) return `${path} is not a list`;
      return findFirst(value.entries(), ([index, each]) => item.value(each, `${path}[${index}]`));
    });
  }

  #readRecord(
    { properties, required, additionalProperties: others }: JsonRecord,
    at: string,
    depth: number,
  ): Result<Check> {
    if (properties === undefined && required === undefined && others === undefined)
      return accept((value, path) => (isRecord(value) ? undefined : `${path} is not an object`));
    if (properties === undefined || !isRecord(properties)) return refuse(`${at}: "properties" is not an object`);
    if (others !== false) return refuse(`${at}: "additionalProperties" is not false`);
    const needed = readRequired(required, properties);
    if (needed === undefined) return refuse(`${at}: "required" is not a list of its properties`);
    const members: (readonly [name: string, check: Check])[] = [];
    for (const [name, schema] of Object.entries(properties)) {
      const member = this.read(schema, `${at}.${name}`, depth + 1);
      if (!member.ok) return member;
      members.push([name, member.value]);
    }
    return accept((value, path) => {
      if (!isRecord(value)) return `${path} is not an object`;
      // Do not quote a name from the answer: it would put somebody else's words into our sentence.
      if (Object.keys(value).some((name) => !Object.hasOwn(properties, name)))
        return `${path} has a member that is not in the schema`;
      return findFirst(members, ([name, check]) => {
        const member = Object.hasOwn(value, name) ? value[name] : undefined;
        if (member !== undefined) return check(member, `${path}.${name}`);
        return needed.has(name) ? `${path}.${name} is missing` : undefined;
      });
    });
  }

  #readEither(schema: JsonRecord, at: string, depth: number): Result<Check> {
    const { anyOf, type } = schema;
    if (anyOf === undefined || !isList(anyOf) || anyOf.length === 0 || type !== undefined)
      return refuse(`${at}: "anyOf" is not a list of schemas, or stands beside a "type"`);
    const stranger = findStranger(schema, ["anyOf"]);
    if (stranger !== undefined) return refuse(`${at}: ${stranger} is not supported`);
    const checks: Check[] = [];
    for (const each of anyOf) {
      const one = this.read(each, at, depth + 1);
      if (!one.ok) return one;
      checks.push(one.value);
    }
    return accept((value, path) =>
      checks.some((check) => check(value, path) === undefined) ? undefined : `${path} fits none of its shapes`,
    );
  }
}

/** Returns the keywords of a type, or `undefined` for an unknown type. Names that every object has, such as `constructor`, are not types. */
function findWords(type: Json): readonly string[] | undefined {
  return typeof type === "string" && Object.hasOwn(WORDS, type) ? WORDS[type] : undefined;
}

/**
 * For each type, a function that tests whether an option of an enum has this type. A schema accepts only options of its
 * own type.
 */
const IS_OF: Readonly<Record<string, (option: Json) => boolean>> = {
  boolean: (option) => typeof option === "boolean",
  integer: Number.isInteger,
  number: (option) => typeof option === "number",
  string: (option) => typeof option === "string",
};

function readOptions(schema: JsonRecord, at: string): Result<Check> {
  const { type, enum: options } = schema;
  const isOf = typeof type === "string" && Object.hasOwn(IS_OF, type) ? IS_OF[type] : undefined;
  const stranger = findStranger(schema, ["enum"]);
  if (stranger !== undefined) return refuse(`${at}: ${stranger} is not supported beside "enum"`);
  if (isOf === undefined || options === undefined || !isList(options) || options.length > MOST_OPTIONS)
    return refuse(`${at}: "enum" needs a plain "type" and at most ${MOST_OPTIONS} options`);
  const taken = new Set(options.filter(isOf));
  if (taken.size === 0) return refuse(`${at}: "enum" has no option of its type`);
  return accept((value, path) => (taken.has(value) ? undefined : `${path} is not one of its options`));
}

function readInteger({ minimum, maximum }: JsonRecord, at: string): Result<Check> {
  const isBound = (bound: Json | undefined): bound is number | undefined =>
    bound === undefined || Number.isInteger(bound);
  if (!isBound(minimum) || !isBound(maximum)) return refuse(`${at}: "minimum" and "maximum" are not whole numbers`);
  const [low, high] = [minimum ?? Number.MIN_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  return accept((value, path) => {
    if (typeof value !== "number" || !Number.isSafeInteger(value)) return `${path} is not an integer`;
    return value >= low && value <= high ? undefined : `${path} is not between ${low} and ${high}`;
  });
}

function readText({ maxLength }: JsonRecord, at: string): Result<Check> {
  if (maxLength === undefined)
    return accept((value, path) => (typeof value === "string" ? undefined : `${path} is not a text`));
  if (typeof maxLength !== "number" || !Number.isSafeInteger(maxLength) || maxLength < 0)
    return refuse(`${at}: "maxLength" is not a count`);
  return accept((value, path) => {
    if (typeof value !== "string") return `${path} is not a text`;
    return value.length <= maxLength || [...value].length <= maxLength
      ? undefined
      : `${path} is longer than ${maxLength} characters`;
  });
}

/** Returns the required names; `undefined` if the keyword is malformed or names an unknown property. */
function readRequired(required: Json | undefined, properties: JsonRecord): ReadonlySet<string> | undefined {
  if (required === undefined) return new Set();
  if (!isList(required)) return undefined;
  const names = required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
  return names.length === required.length ? new Set(names.map(String)) : undefined;
}

/** Returns a keyword of the schema that is not supported, quoted; `undefined` if all are supported. */
function findStranger(schema: JsonRecord, words: readonly string[]): string | undefined {
  const stranger = Object.keys(schema).find((word) => !ABOUT.includes(word) && !words.includes(word));
  return stranger === undefined ? undefined : JSON.stringify(stranger.slice(0, 64));
}

function findFirst<T>(all: Iterable<T>, find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
