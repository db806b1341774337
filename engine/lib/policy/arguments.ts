// Checks the arguments of a call against the typed form of its method. The checks are our own and not those of a JSON Schema
// validator. Validators compile code at run time, which the jail forbids, and a schema can make them run for ever. Tests compare
// our checker with a JSON Schema validator for every method of the standard library.
import type { Param, Type } from "../wire/generated/policy.ts";
import { isList, isRecord, renderCanonicalJson } from "./canonical-json.ts";
import type { Json, JsonRecord } from "./json-reader.ts";

const STRANGER: Readonly<Record<Member, string>> = { argument: "an argument", result: "a result" };
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
/** A 64-bit integer needs at most 20 characters, including its sign. */
const INTEGER_TEXT = /^(?:-?[1-9][0-9]{0,19}|0)$/;

type Member = "argument" | "result";
type JsonBounds = Extract<Type, { readonly which: "json" }>["json"];

/**
 * Returns why a record does not fit the parameters, with the path of the first fault, or `undefined` if it fits. `what`
 * states whether the record is the arguments or the result of a call.
 */
export function checkRecord(
  params: readonly Param[],
  record: JsonRecord,
  at = "",
  what: Member = "argument",
): string | undefined {
  const stranger = findUnknownMember(params, record);
  if (stranger !== undefined) return `${joinMemberPath(at, stranger)} is not ${STRANGER[what]} of this tool`;
  for (const param of params) {
    const value = record[param.name];
    if (value === undefined && !param.required) continue;
    if (value === undefined) return `${joinMemberPath(at, param.name)} is missing`;
    if (isPlainText(param.type, value)) continue;
    const found = checkValue(param.type, value, joinMemberPath(at, param.name), what);
    if (found !== undefined)
      return value === null && !param.required ? `${found}; leave it out instead of null` : found;
  }
  return undefined;
}

/** Number of elements below which searching a list is faster than making a set of it. */
const FEW = 8;

function findUnknownMember(params: readonly Param[], record: JsonRecord): string | undefined {
  const names = Object.keys(record);
  if (params.length > FEW && names.length > FEW) {
    const known = new Set(params.map((param) => param.name));
    return names.find((name) => !known.has(name));
  }
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at];
    if (name !== undefined && !isNamed(params, name)) return name;
  }
  return undefined;
}

function isNamed(params: readonly Param[], name: string): boolean {
  for (let at = 0; at < params.length; at += 1) if (params[at]?.name === name) return true;
  return false;
}

/**
 * Returns whether a value is a text that certainly fits its type. Most values are such texts: for them, the path that a
 * fault would name is not built. A UTF-16 unit takes at most three bytes.
 */
function isPlainText(type: Type, value: Json): boolean {
  return type.which === "text" && typeof value === "string" && value.length * 3 <= type.text.maxBytes;
}

function checkValue(type: Type, value: Json, at: string, what: Member): string | undefined {
  switch (type.which) {
    case "boolean":
      return typeof value === "boolean" ? undefined : `${at} is not true or false`;
    case "integer":
      return checkInteger(type.integer, value, at);
    case "number":
      return typeof value === "number" ? undefined : `${at} is not a number`;
    case "text":
      return checkText(type.text.maxBytes, value, at);
    case "choice":
      return typeof value === "string" && type.choice.includes(value)
        ? undefined
        : `${at} is not one of ${type.choice.join(", ")}`;
    case "list":
      return isList(value) ? checkItems(type.list, value, at, what) : `${at} is not a list`;
    case "record":
      return isRecord(value) ? checkRecord(type.record, value, at, what) : `${at} is not an object`;
    case "json":
      return checkJson(type.json, value, at);
    case "either":
      return checkEither(type.either, value, at, what);
  }
}

/** Checks only the outermost form and the size: the provider checks the content. */
function checkJson({ maxBytes, form }: JsonBounds, value: Json, at: string): string | undefined {
  if (form === "object" && !isRecord(value)) return `${at} is not an object`;
  if (form === "list" && !isList(value)) return `${at} is not a list`;
  if (maxBytes === 0 || Buffer.byteLength(renderCanonicalJson(value)) <= maxBytes) return undefined;
  return `${at} is longer than ${maxBytes} bytes`;
}

/**
 * Returns why no alternative accepts the value. If only one alternative has the form of the value, returns the reason why this alternative
 * refuses the value.
 */
function checkEither(types: readonly Type[], value: Json, at: string, what: Member): string | undefined {
  const near: string[] = [];
  for (const type of types) {
    const found = checkValue(type, value, at, what);
    if (found === undefined) return undefined;
    if (hasForm(type, value)) near.push(found);
  }
  const [only, ...more] = near;
  if (only !== undefined && more.length === 0) return only;
  return `${at} fits none of its ${types.length} shapes${only === undefined ? "" : `; of one, ${only}`}`;
}

/** Returns whether the value has the form in which JSON writes values of the type, such as a number or a list. */
function hasForm(type: Type, value: Json): boolean {
  switch (type.which) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return typeof value === "number";
    case "text":
    case "choice":
      return typeof value === "string";
    case "list":
      return isList(value);
    case "record":
      return isRecord(value);
    case "json":
      return checkJson({ maxBytes: 0, form: type.json.form }, value, "") === undefined;
    case "either":
      return type.either.some((one) => hasForm(one, value));
  }
}

function checkItems(type: Type, items: readonly Json[], at: string, what: Member): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = checkValue(type, item, `${at}[${index}]`, what);
    if (found !== undefined) return found;
  }
  return undefined;
}

function checkText(maxBytes: number, value: Json, at: string): string | undefined {
  if (typeof value !== "string") return `${at} is not a text`;
  if (maxBytes === 0 || Buffer.byteLength(value) <= maxBytes) return undefined;
  return `${at} is longer than ${maxBytes} bytes`;
}

function checkInteger(bounds: { low: bigint; high: bigint }, value: Json, at: string): string | undefined {
  const integer = parseInteger(value);
  if (integer === undefined) return `${at} is not an integer`;
  if (integer >= bounds.low && integer <= bounds.high) return undefined;
  return `${at} is not between ${bounds.low} and ${bounds.high}`;
}

/**
 * Returns an integer, or `undefined` if the value is not one. Each integer has one spelling: a JSON number up to 2^53 - 1, and decimal text
 * beyond.
 */
function parseInteger(value: Json): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || !INTEGER_TEXT.test(value)) return undefined;
  const integer = BigInt(value);
  return integer > SAFE || integer < -SAFE ? integer : undefined;
}

function joinMemberPath(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
