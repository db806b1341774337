// Converts JSON Schemas of MCP servers to the types that the gate checks. If a type cannot express a rule, the gate
// accepts more than the schema. Accepting more is safe, because the provider also checks its arguments, and the
// description for the model states the rule. A value for which there is no such type is accepted as JSON that the gate
// does not check. An argument may have no valid values, or invisible characters in its description. If it is required,
// the whole schema is refused. If it is optional, it is left out, so that no call can contain it.

import {
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  renderTolerantJson,
} from "../../../engine/lib/policy/index.ts";
import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, SAFE_INTEGER, shortenWords } from "./described.ts";
import { areDisjoint } from "./disjoint.ts";
import { explainUnseen, findHidden, isUnseen } from "./hidden.ts";
import { type Place, parseBound, type Read, refuseFinally, type UncheckedRules } from "./json-place.ts";
import { type Alternatives, type Resolved, resolveSchema } from "./json-resolve.ts";
import { LEAVE_OUT, noteRules } from "./json-rules.ts";

/** An optional argument whose type the gate cannot check, with the reason. */
export interface OmittedParam {
  readonly name: string;
  readonly reason: string;
  /** Set if the argument must not be accepted as unchecked JSON either. */
  readonly isFinal?: true;
}

/** Arguments of a tool, and the optional arguments that were left out. */
export interface ConvertedParams {
  readonly params: readonly DescribedParam[];
  readonly omitted: readonly OmittedParam[];
  /**
   * Text for the model about rules that concern several arguments together, which the gate does not check; empty if
   * there are none.
   */
  readonly together: string;
  /** Rules of the schema that the types do not enforce. The path of each entry names the argument. */
  readonly unheld: readonly UncheckedRules[];
}

const MAX_DEPTH = 16;
const MAX_ARGUMENTS = 128;
const MAX_CHOICES = 1024;
const MAX_TYPES = 2048;
const MAX_WORDS = 2048;
/**
 * Names of arguments may contain only visible ASCII, because other characters could make two different names look the
 * same.
 */
const ARGUMENT = /^(?!__proto__$)[\x21-\x7e]{1,64}$/;

/** Maximum number of alternatives of one value. If there are more, the gate does not check the value. */
const MAX_ALTERNATIVES = 32;

/**
 * Converts the members of an object schema to arguments. Fails with the reason if this is impossible, for example if
 * `schema` is not the schema of an object.
 */
export function readArguments(schema: Json): Result<ConvertedParams> {
  if (!isRecord(schema)) return refuse("list is no schema of an object");
  const omitted: OmittedParam[] = [];
  const unheld: UncheckedRules[] = [];
  const words: string[] = [];
  const within = { path: "", unheld, words, about: "", wasNullable: false, beside: {} };
  const place = { root: schema, refs: [], depth: 0, budget: { left: MAX_TYPES }, ...within };
  const resolved = resolveSchema(schema, place);
  if (!resolved.ok) return refuse(`list: ${resolved.reason}`);
  const { alternatives, place: at } = resolved.value;
  const object = alternatives === undefined ? resolved.value.schema : joinObjects(resolved.value, alternatives.schemas);
  const kind = object && readKind(object);
  if (object === undefined || (kind !== undefined && kind !== "object"))
    return refuse("list is no schema of an object");
  const params = readMembers(object, at, omitted);
  if (!params.ok) return params;
  noteRules({ ...object, ...at.beside }, { which: "record", record: [] }, at);
  const isLeftOut = ({ path }: UncheckedRules): boolean =>
    omitted.some(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  const together = words.length === 0 ? "" : `(arguments: ${words.join("; ")})`;
  const unseen = explainUnseen(together);
  if (unseen !== undefined) return refuse(`list: ${unseen}`);
  const held = joinRules(unheld.filter((one) => !isLeftOut(one)));
  return { ok: true, value: { params: params.value, omitted, together, unheld: held } };
}

/** Joins the rules of several alternatives of one argument, each once. */
function joinRules(unheld: readonly UncheckedRules[]): readonly UncheckedRules[] {
  const rules = new Map<string, Set<string>>();
  for (const one of unheld) rules.set(one.path, new Set([...(rules.get(one.path) ?? []), ...one.rules]));
  return [...rules].map(([path, told]) => ({ path, rules: [...told] }));
}

/**
 * Joins several schemas of objects into one, which accepts every value that at least one of them accepts. A member is
 * required only if all of the objects require it. Returns `undefined` if a schema is not an object with members.
 */
function joinObjects({ schema, place }: Resolved, schemas: readonly Json[]): JsonRecord | undefined {
  const objects: JsonRecord[] = [];
  for (const one of schemas) {
    const resolved = isRecord(one) ? resolveSchema(one, place) : undefined;
    if (resolved?.ok !== true || readKind(resolved.value.schema) !== "object") return undefined;
    objects.push(resolved.value.schema);
  }
  const shapes = new Map<string, Json[]>();
  for (const { properties = {} } of objects)
    for (const [name, member] of Object.entries(isRecord(properties) ? properties : {}))
      shapes.set(name, [...(shapes.get(name) ?? []), member]);
  const isRequired = (name: string) => objects.every(({ required }) => hasWord(required, name));
  const properties = [...shapes].map(([name, [first = true, ...more]]) => {
    const isSame = more.every((one) => renderTolerantJson(one) === renderTolerantJson(first));
    return [name, isSame ? first : { anyOf: [first, ...more] }] as const;
  });
  const required = [...shapes.keys()].filter(isRequired);
  return { ...schema, anyOf: schemas, type: "object", properties: Object.fromEntries(properties), required };
}

function hasWord(list: Json | undefined, word: Json): boolean {
  return list !== undefined && isList(list) && list.includes(word);
}

function readMembers(schema: JsonRecord, place: Place, omitted: OmittedParam[]): Read<readonly DescribedParam[]> {
  const odd = [schema, schema["properties"], schema["required"]].map(findOddity).find((one) => one !== undefined);
  if (odd !== undefined) return refuseFinally(`list is not acceptable JSON: ${odd.reason}`);
  const properties = schema["properties"] ?? {};
  if (!isRecord(properties)) return refuse("list has `properties` that are no object");
  // In old drafts of JSON Schema, the schema of an argument itself states that the argument is required.
  const { required: named = [] } = schema;
  if (!isList(named) && typeof named !== "boolean") return refuse("list has `required` that is no list of names");
  const described = Object.keys(properties);
  const itself = described.filter((name) => isRequired(properties[name]));
  const required = new Set<Json>([...(isList(named) ? named : []), ...itself]);
  // A required argument that the schema does not describe may have any value. An optional argument whose schema is
  // `false` is left out.
  const strangers = [...required].filter((name) => typeof name === "string" && !described.includes(name));
  const names = [...described, ...strangers.map(String)].filter(
    (name) => properties[name] !== false || required.has(name),
  );
  if (names.length > MAX_ARGUMENTS) return refuse(`list has more than ${MAX_ARGUMENTS} members`);
  const params: DescribedParam[] = [];
  for (const name of names) {
    const member = described.includes(name) ? (properties[name] ?? true) : true;
    const param = readMember(name, member, required.has(name) ? "required" : "optional", place);
    if (param.ok) params.push(param.value);
    else if (required.has(name)) return { ...param, reason: `${JSON.stringify(name)}: ${param.reason}` };
    else omitted.push({ name, reason: param.reason, ...(param.isFinal && { isFinal: true }) });
  }
  const unknown = [...required].find((name) => typeof name !== "string");
  return unknown === undefined ? { ok: true, value: params } : refuse(`${JSON.stringify(unknown)} is not described`);
}

function isRequired(schema: Json | undefined): boolean {
  return schema !== undefined && isRecord(schema) && schema["required"] === true;
}

function readMember(name: string, schema: Json, presence: "required" | "optional", place: Place): Read<DescribedParam> {
  if (!ARGUMENT.test(name)) return refuse("its name is not visible ASCII of at most 64 characters");
  const words: string[] = [];
  const path = place.path === "" ? name : `${place.path}.${name}`;
  const at = { ...place, path, words, about: "", wasNullable: false, beside: {} };
  const type = place.path === "" ? typeOfArgument(schema, at) : typeOf(schema, at);
  if (!type.ok) return type;
  // If the gate refuses null for an optional argument, tell the model to omit the argument instead.
  if (presence === "optional" && takeNull(place.unheld, path)) words.push(LEAVE_OUT);
  const doc = renderDoc(schema, words);
  const unseen = explainUnseen(doc);
  if (unseen !== undefined) return refuseFinally(unseen);
  return {
    ok: true,
    value: { name, type: type.value, required: presence === "required", doc: shortenWords(doc, MAX_WORDS) },
  };
}

/** Removes the rule `null` (the gate refuses null) from the rules of a path. Returns whether the path had this rule. */
function takeNull(unheld: UncheckedRules[], path: string): boolean {
  const before = unheld.length;
  const kept = unheld.filter((one) => one.path !== path || !one.rules.includes("null"));
  const others = unheld.flatMap((one) => {
    const rules = one.rules.filter((rule) => rule !== "null");
    return kept.includes(one) || rules.length === 0 ? [] : [{ path, rules }];
  });
  if (kept.length === before) return false;
  unheld.splice(0, before, ...kept, ...others);
  return true;
}

/**
 * Returns the type of an argument. If the schema contains more types than may be read, the whole argument is accepted
 * unchecked.
 */
function typeOfArgument(schema: Json, at: Place): Read<DescribedType> {
  const before = at.unheld.length;
  const type = typeOf(schema, at);
  if (at.budget.left >= 0 || (!type.ok && type.isFinal && type.reason !== TOO_MANY)) return type;
  at.unheld.length = before;
  at.words.length = 0;
  return acceptJson(isRecord(schema) ? schema : {}, at);
}

const TOO_MANY = `there are more than ${MAX_TYPES} types`;

function typeOf(written: Json, place: Place): Read<DescribedType> {
  if (written === false) return refuseFinally("it takes no value");
  const odd = findOddity(written);
  if (odd !== undefined) return refuseFinally(`its schema is not acceptable JSON: ${odd.reason}`);
  const resolved = resolveSchema(isRecord(written) ? written : {}, place);
  if (!resolved.ok) return resolved;
  const { schema, place: at } = resolved.value;
  at.budget.left -= 1;
  if (at.budget.left < 0) return refuseFinally(TOO_MANY);
  const [told, said] = [at.unheld.length, at.words.length];
  const type = deriveShape(resolved.value);
  if (type.ok && type.value.which !== "json") {
    noteRules({ ...schema, ...at.beside }, type.value, at);
    return type;
  }
  if (!type.ok && type.isFinal) return type;
  at.unheld.length = told;
  at.words.length = said;
  return acceptJson({ ...schema, ...withAlternatives(resolved.value) }, at);
}

function withAlternatives({ alternatives }: Resolved): JsonRecord {
  if (alternatives === undefined) return {};
  return alternatives.word === "type" ? {} : { [alternatives.word]: alternatives.schemas };
}

/**
 * Returns the type of a value that only the provider checks. The person who imports the schema gets a warning, and the
 * model reads the text of the schema.
 */
function acceptJson(schema: JsonRecord, at: Place): Read<DescribedType> {
  const kind = readKind(schema);
  const form = kind === "object" ? "object" : kind === "array" ? "list" : "any";
  const type: DescribedType = { which: "json", json: { maxBytes: MAX_TEXT_BYTES, form } };
  noteRules({ ...schema, ...at.beside }, type, at);
  return { ok: true, value: type };
}

function deriveShape({ schema, place: at, alternatives, isOpen }: Resolved): Read<DescribedType> {
  if (isOpen || at.depth > MAX_DEPTH) return refuse("its parts are not looked at");
  if (alternatives !== undefined) return readEither(alternatives, at);
  const choices = schema["const"] === undefined ? schema["enum"] : [schema["const"]];
  const kind = readKind(schema);
  if (choices !== undefined) return readChoice(choices, kind);
  switch (kind) {
    case "string":
      return { ok: true, value: { which: "text", text: { maxBytes: computeTextBytes(schema["maxLength"]) } } };
    case "boolean":
      return { ok: true, value: { which: "boolean" } };
    case "integer":
      return readInteger(schema);
    case "number":
      return { ok: true, value: { which: "number" } };
    case "array":
      return listOf(schema, at);
    case "object":
      return recordOf(schema, at);
    default:
      return refuse("it has no type that is known here");
  }
}

/**
 * Reads alternatives. Returns the type of a value that fits one of several alternatives; an alternative that accepts no
 * value is left out.
 */
function readEither({ word, schemas }: Alternatives, at: Place): Read<DescribedType> {
  if (schemas.length > MAX_ALTERNATIVES) return refuse(`it has more than ${MAX_ALTERNATIVES} shapes`);
  const types = new Map<string, DescribedType>();
  const each: DescribedType[] = [];
  let none: Read<DescribedType> = refuseFinally("it takes no value");
  for (const schema of schemas) {
    const type = typeOf(schema, { ...at, about: nameForm(schema), wasNullable: false, beside: {} });
    if (!type.ok && type.reason === TOO_MANY) return type;
    if (!type.ok && isUnseen(type.reason)) return type;
    if (type.ok) each.push(type.value);
    if (!type.ok) none = type;
    else
      for (const one of type.value.which === "either" ? type.value.either : [type.value]) types.set(nameType(one), one);
  }
  const [only, ...more] = joinChoices([...types.values()]);
  if (only === undefined) return none;
  // `oneOf` refuses a value that fits two of the types, but the gate accepts it.
  if (word === "oneOf" && !areDisjoint(each)) at.unheld.push({ path: at.path, rules: [word] });
  return { ok: true, value: more.length === 0 ? only : { which: "either", either: [only, ...more] } };
}

function nameType(type: DescribedType): string {
  return JSON.stringify(type, (_, value) => (typeof value === "bigint" ? `${value}` : value));
}

/** Joins all alternatives that are choices of texts into one choice. */
function joinChoices(types: readonly DescribedType[]): readonly DescribedType[] {
  const words = types.flatMap((type) => (type.which === "choice" ? type.choice : []));
  const first = types.find(({ which }) => which === "choice");
  const choice: DescribedType = { which: "choice", choice: [...new Set(words)] };
  return types
    .filter((type) => type.which !== "choice" || type === first)
    .map((type) => (type === first ? choice : type));
}

function nameForm(schema: Json): string {
  const kind = isRecord(schema) ? readKind(schema) : undefined;
  return typeof kind === "string" && Object.hasOwn(FORMS, kind) ? `if ${FORMS[kind]}: ` : "";
}

const FORMS: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  integer: "an integer",
  number: "a number",
  array: "a list",
  object: "an object",
};

function readKind(schema: JsonRecord): Json | undefined {
  const { type } = schema;
  if (type === undefined) return KINDS.find(([word]) => schema[word] !== undefined)?.[1];
  if (!isList(type)) return type;
  const kinds = type.filter((kind) => kind !== "null");
  return kinds.length === 1 ? kinds[0] : type;
}

/**
 * Type that a keyword implies if the schema states no type: `object` for keywords about members, `array` for keywords
 * about items.
 */
const KINDS = [
  ["properties", "object"],
  ["additionalProperties", "object"],
  ["patternProperties", "object"],
  ["items", "array"],
  ["prefixItems", "array"],
] as const;

/** Returns the limit in bytes for a `maxLength` in code points; a code point has at most four bytes. */
function computeTextBytes(maxLength: Json | undefined): number {
  if (typeof maxLength !== "number" || !Number.isSafeInteger(maxLength) || maxLength < 1) return MAX_TEXT_BYTES;
  return Math.min(MAX_TEXT_BYTES, maxLength * 4);
}

/**
 * Reads the keyword `enum` of a schema. If all choices are integers, they become the range from the lowest to the
 * highest. Choices of several kinds become one alternative for each kind.
 */
function readChoice(choices: Json, kind: Json | undefined): Read<DescribedType> {
  const values = isList(choices) ? choices.filter((one) => one !== null) : [];
  if (values.length === 0) return refuseFinally("it has 0 choices");
  if (values.length > MAX_CHOICES) return refuse(`it has more than ${MAX_CHOICES} choices`);
  const texts = values.filter((one) => typeof one === "string");
  const hidden = texts.map(findHidden).find((found) => found !== undefined);
  if (hidden !== undefined) return refuseFinally(`one of its choices holds ${hidden}, which nobody sees`);
  const numbers = values.filter((one) => typeof one === "number");
  const isText = texts.length > 0 && canBe(kind, "string");
  const isNumber = numbers.length > 0 && (canBe(kind, "integer") || canBe(kind, "number"));
  const isBoolean = values.some((one) => typeof one === "boolean") && canBe(kind, "boolean");
  if (values.some((one) => typeof one === "object")) return refuse("one of its choices has parts");
  const types: DescribedType[] = [
    ...(isText ? [{ which: "choice", choice: [...new Set(texts)] } as const] : []),
    ...(isNumber ? [typeOfNumbers(numbers)] : []),
    ...(isBoolean ? [{ which: "boolean" } as const] : []),
  ];
  const [only, ...more] = types;
  if (only === undefined) return refuseFinally("its choices are not of its type");
  return { ok: true, value: more.length === 0 ? only : { which: "either", either: types } };
}

function canBe(kind: Json | undefined, type: string): boolean {
  return kind === undefined || kind === type || hasWord(kind, type);
}

function typeOfNumbers(numbers: readonly number[]): DescribedType {
  // The tables cannot represent a range that ends below zero.
  if (!numbers.every(Number.isSafeInteger) || Math.max(...numbers) < 0) return { which: "number" };
  return { which: "integer", integer: { low: BigInt(Math.min(...numbers)), high: BigInt(Math.max(...numbers)) } };
}

function readInteger(schema: JsonRecord): Read<DescribedType> {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  // In old drafts of JSON Schema, a separate keyword states that a bound is exclusive.
  const [above, below] = [
    exclusiveMinimum === true ? minimum : exclusiveMinimum,
    exclusiveMaximum === true ? maximum : exclusiveMaximum,
  ];
  const lows = [parseBound(minimum), computeNext(above, 1)].filter((one) => one !== undefined);
  const highs = [parseBound(maximum), computeNext(below, -1)].filter((one) => one !== undefined);
  const safe = Number(SAFE_INTEGER);
  return makeBoundedInteger(Math.ceil(Math.max(-safe, ...lows)), Math.floor(Math.min(safe, ...highs)));
}

/** Returns the first integer after an exclusive bound, in the direction of `step`; `undefined` if the bound is not a number. */
function computeNext(excluded: Json | undefined, step: 1 | -1): number | undefined {
  const number = parseBound(excluded);
  if (number === undefined) return undefined;
  return step === 1 ? Math.floor(number) + 1 : Math.ceil(number) - 1;
}

function makeBoundedInteger(low: number, high: number): Read<DescribedType> {
  if (low > high) return refuseFinally(`no number is at least ${low} and at most ${high}`);
  if (high < 0) return refuse("all of its numbers are below zero");
  return { ok: true, value: { which: "integer", integer: { low: BigInt(low), high: BigInt(high) } } };
}

/** Reads the schema of a list. A list is not checked if its items are not checked. A tuple is never checked. */
function listOf(schema: JsonRecord, place: Place): Read<DescribedType> {
  const items = schema["items"] ?? true;
  if (schema["prefixItems"] !== undefined || isList(items)) return refuse("it is a tuple");
  const type = typeOf(items, { ...place, path: `${place.path}[]`, wasNullable: false, beside: {} });
  if (!type.ok) return { ...type, reason: `its items: ${type.reason}` };
  if (type.value.which === "json" && type.value.json.form === "any") return refuse("its items may be anything");
  return { ok: true, value: { which: "list", list: type.value } };
}

const MEMBER = "its member ";

/**
 * Reads the schema of a record. If the gate cannot check one member, the record has no type: leaving only this member
 * out would change the meaning of the record.
 */
function recordOf(schema: JsonRecord, place: Place): Read<DescribedType> {
  const { properties, additionalProperties } = schema;
  const isClosed = additionalProperties === false;
  if (properties === undefined || (isRecord(properties) && Object.keys(properties).length === 0 && !isClosed)) {
    return refuse("it is an object of any members");
  }
  const omitted: OmittedParam[] = [];
  const members = readMembers(schema, place, omitted);
  if (!members.ok) return members.isFinal ? { ...members, reason: nameMember(members.reason) } : members;
  const first = omitted.find(({ isFinal }) => isFinal) ?? omitted[0];
  if (first === undefined) return { ok: true, value: { which: "record", record: members.value } };
  const reason = first.reason.startsWith(MEMBER)
    ? first.reason
    : `${MEMBER}${JSON.stringify(first.name)} has no shape: ${first.reason}`;
  // If a value in nested records has no valid type, the innermost reason is reported.
  return first.isFinal ? refuseFinally(reason) : refuse(reason);
}

function nameMember(reason: string): string {
  return reason.startsWith(MEMBER) || !reason.startsWith('"') ? reason : `${MEMBER}${reason}`;
}

/** Returns the description of an argument from its server, followed by the rules that its type does not enforce. */
function renderDoc(schema: Json, rules: readonly string[]): string {
  const description = isRecord(schema) ? schema["description"] : undefined;
  const words = typeof description === "string" ? [description.trim()] : [];
  return [...words, ...(rules.length > 0 ? [`(${rules.join("; ")})`] : [])].filter((part) => part !== "").join(" ");
}
