// JSON Schema, as MCP servers write it, in the shapes that the gate checks. Where a shape cannot say as much it takes more,
// which is safe: the provider checks its arguments as well, and the rest stands in the words that the model reads. What has
// no shape at all is refused where it is required, and left out where it is not: then no call has it.

import {
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  renderTolerantJson,
} from "../../../engine/lib/policy/index.ts";
import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, SAFE_INTEGER } from "./described.ts";
import { explainUnseen, findHidden } from "./hidden.ts";

/** An optional argument that has no shape, and why. */
export interface OmittedParam {
  readonly name: string;
  readonly reason: string;
}

/** Arguments, and those that were left out. */
export interface ConvertedParams {
  readonly params: readonly DescribedParam[];
  readonly omitted: readonly OmittedParam[];
  /** Rules about all of them together that the gate does not check, in words for the model; empty where there are none. */
  readonly together: string;
  /** Where the schema says what its shape does not hold. */
  readonly unheld: readonly UncheckedRules[];
}

/** Rules about one argument that the gate does not check, by their words in the schema; `null`: null is refused, and nothing can stand for it. */
export interface UncheckedRules {
  /** `filter.tags[]`: each item of a list within an object. Empty: all arguments together. */
  readonly path: string;
  readonly rules: readonly string[];
}

interface Place {
  readonly root: JsonRecord;
  /** References that led here, and how deep it is. */
  readonly refs: readonly string[];
  readonly depth: number;
  /** Types that may still be looked at: references can make few bytes mean billions of them. */
  readonly budget: { left: number };
  readonly path: string;
  /** Of all arguments. */
  readonly unheld: UncheckedRules[];
  /** Of the one argument that is looked at: its rules in words. */
  readonly words: string[];
  /** Null was taken out of what it may be. */
  readonly wasNullable: boolean;
  /** What stood beside references and alternatives that were followed. */
  readonly beside: JsonRecord;
}

const MAX_DEPTH = 16;
const MAX_ARGUMENTS = 128;
const MAX_CHOICES = 1024;
const MAX_TYPES = 2048;
const MAX_WORDS = 2048;
/** Visible ASCII: a name that looks like another one must not be a third. */
const ARGUMENT = /^(?!__proto__$)[\x21-\x7e]{1,64}$/;

/** The members of an object schema as arguments. */
export function readArguments(schema: Json): Result<ConvertedParams> {
  if (!isRecord(schema)) return refuse("list is no schema of an object");
  const omitted: OmittedParam[] = [];
  const unheld: UncheckedRules[] = [];
  const words: string[] = [];
  const within = { path: "", unheld, words, wasNullable: false, beside: {} };
  const place = { root: schema, refs: [], depth: 0, budget: { left: MAX_TYPES }, ...within };
  const resolved = resolve(schema, place);
  if (!resolved.ok) return refuse(`list: ${resolved.reason}`);
  const kind = readKind(resolved.value.schema);
  if (kind !== undefined && kind !== "object") return refuse("list is no schema of an object");
  const params = readMembers(resolved.value.schema, resolved.value.place, omitted);
  if (!params.ok) return params;
  note(
    { ...resolved.value.schema, ...resolved.value.place.beside },
    { which: "record", record: [] },
    resolved.value.place,
  );
  const isLeftOut = ({ path }: UncheckedRules): boolean =>
    omitted.some(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  const together = words.length === 0 ? "" : `(arguments: ${words.join("; ")})`;
  const unseen = explainUnseen(together);
  if (unseen !== undefined) return refuse(`list: ${unseen}`);
  const held = unheld.filter((one) => !isLeftOut(one));
  return { ok: true, value: { params: params.value, omitted, together, unheld: held } };
}

function readMembers(schema: JsonRecord, place: Place, omitted: OmittedParam[]): Result<readonly DescribedParam[]> {
  const odd = [schema, schema["properties"], schema["required"]].map(findOddity).find((one) => one !== undefined);
  if (odd !== undefined) return refuse(`list is not acceptable JSON: ${odd.reason}`);
  const properties = schema["properties"] ?? {};
  if (!isRecord(properties)) return refuse("list has `properties` that are no object");
  const names = Object.keys(properties);
  if (names.length > MAX_ARGUMENTS) return refuse(`list has more than ${MAX_ARGUMENTS} members`);
  // In old drafts an argument says of itself that it is required.
  const { required: named = [] } = schema;
  if (!isList(named) && typeof named !== "boolean") return refuse("list has `required` that is no list of names");
  const itself = names.filter((name) => isRequired(properties[name]));
  const required = new Set<Json>([...(isList(named) ? named : []), ...itself]);
  const params: DescribedParam[] = [];
  for (const name of names) {
    const param = readMember(name, properties[name] ?? null, required.has(name) ? "required" : "optional", place);
    if (param.ok) params.push(param.value);
    else if (required.has(name)) return refuse(`${JSON.stringify(name)}: ${param.reason}`);
    else omitted.push({ name, reason: param.reason });
  }
  const unknown = [...required].find((name) => typeof name !== "string" || !names.includes(name));
  return unknown === undefined ? { ok: true, value: params } : refuse(`${JSON.stringify(unknown)} is not described`);
}

function isRequired(schema: Json | undefined): boolean {
  return schema !== undefined && isRecord(schema) && schema["required"] === true;
}

function readMember(
  name: string,
  schema: Json,
  presence: "required" | "optional",
  place: Place,
): Result<DescribedParam> {
  if (!ARGUMENT.test(name)) return refuse("its name is not visible ASCII of at most 64 characters");
  const words: string[] = [];
  const path = place.path === "" ? name : `${place.path}.${name}`;
  const type = typeOf(schema, { ...place, path, words, wasNullable: false, beside: {} });
  if (!type.ok) return type;
  // What is optional can be left out instead: then the model is told so, and nothing is lost.
  const nullable =
    presence === "required" ? -1 : place.unheld.findIndex((one) => one.path === path && one.rules.includes("null"));
  const told = place.unheld[nullable];
  if (told !== undefined) {
    words.push(LEAVE_OUT);
    const rules = told.rules.filter((rule) => rule !== "null");
    place.unheld.splice(nullable, 1, ...(rules.length === 0 ? [] : [{ path, rules }]));
  }
  const doc = renderDoc(schema, words);
  const unseen = explainUnseen(doc);
  if (unseen !== undefined) return refuse(unseen);
  if (doc.length > MAX_WORDS) return refuse(`its description is longer than ${MAX_WORDS} characters`);
  return { ok: true, value: { name, type: type.value, required: presence === "required", doc } };
}

function typeOf(written: Json, place: Place): Result<DescribedType> {
  if (!isRecord(written)) return refuse("any value is taken, which nothing can check");
  const odd = findOddity(written);
  if (odd !== undefined) return refuse(`its schema is not acceptable JSON: ${odd.reason}`);
  const resolved = resolve(written, place);
  if (!resolved.ok) return resolved;
  const { schema, place: at } = resolved.value;
  at.budget.left -= 1;
  if (at.budget.left < 0) return refuse(`there are more than ${MAX_TYPES} types`);
  if (at.depth > MAX_DEPTH) return refuse(`it is nested more than ${MAX_DEPTH} deep`);
  const type = deriveShape(schema, at);
  if (type.ok) note({ ...schema, ...at.beside }, type.value, at);
  return type;
}

function deriveShape(schema: JsonRecord, at: Place): Result<DescribedType> {
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
      return listOf(schema["items"] ?? null, at);
    case "object":
      return recordOf(schema, at);
    default:
      return refuse(kind === undefined ? "it has no type" : `its type ${JSON.stringify(kind)} has no shape here`);
  }
}

const OWN_SHAPE = ["type", "properties", "enum", "const"];

/** Follows references within the same schema, and takes `null` out of what may be null: whoever means it says nothing. */
function resolve(schema: JsonRecord, place: Place): Result<{ readonly schema: JsonRecord; readonly place: Place }> {
  const { $ref: ref } = schema;
  if (ref !== undefined) return followReference(ref, { ...place, beside: collectBeside(schema, "$ref", place) });
  for (const word of ["anyOf", "oneOf", "allOf"]) {
    const several = schema[word];
    // Beside a shape of its own such rules only take away from it.
    if (several === undefined || OWN_SHAPE.some((own) => schema[own] !== undefined)) continue;
    if (!isList(several)) return refuse(`\`${word}\` is no list`);
    const [only, ...more] = several.filter((one) => !(isRecord(one) && one["type"] === "null"));
    if (only === undefined || more.length > 0 || !isRecord(only)) return refuse(`\`${word}\` has several shapes`);
    const wasNullable = place.wasNullable || several.length > 1;
    return resolve(only, { ...place, depth: place.depth + 1, wasNullable, beside: collectBeside(schema, word, place) });
  }
  return { ok: true, value: { schema, place: { ...place, depth: place.depth + 1 } } };
}

/** What stands beside the word that is followed; what stands further out says the last word. */
function collectBeside(schema: JsonRecord, followed: string, { beside }: Place): JsonRecord {
  return { ...Object.fromEntries(Object.entries(schema).filter(([word]) => word !== followed)), ...beside };
}

function followReference(ref: Json, place: Place): ReturnType<typeof resolve> {
  const [, group = "", name = ""] = (typeof ref === "string" && /^#\/(\$defs|definitions)\/([\w.-]+)$/.exec(ref)) || [];
  const groups = place.root[group];
  const target = groups !== undefined && isRecord(groups) ? groups[name] : undefined;
  if (target === undefined || !isRecord(target)) return refuse(`\`$ref\` ${JSON.stringify(ref)} leads nowhere`);
  if (place.refs.includes(name)) return refuse(`${JSON.stringify(name)} holds itself`);
  return resolve(target, { ...place, refs: [...place.refs, name], depth: place.depth + 1 });
}

function readKind(schema: JsonRecord): Json | undefined {
  const { type } = schema;
  if (type === undefined) return schema["properties"] === undefined ? undefined : "object";
  if (!isList(type)) return type;
  const kinds = type.filter((kind) => kind !== "null");
  return kinds.length === 1 ? kinds[0] : type;
}

/** Code points have at most four bytes. */
function computeTextBytes(maxLength: Json | undefined): number {
  if (typeof maxLength !== "number" || !Number.isSafeInteger(maxLength) || maxLength < 1) return MAX_TEXT_BYTES;
  return Math.min(MAX_TEXT_BYTES, maxLength * 4);
}

/** Choices of whole numbers are taken as everything between the lowest and the highest. */
function readChoice(choices: Json, kind: Json | undefined): Result<DescribedType> {
  const values = isList(choices) ? choices.filter((one) => one !== null) : [];
  if (values.length === 0 || values.length > MAX_CHOICES) {
    return refuse(`it has ${values.length} choices; 1 to ${MAX_CHOICES} are taken`);
  }
  const texts = values.filter((one) => typeof one === "string");
  const hidden = texts.map(findHidden).find((found) => found !== undefined);
  if (hidden !== undefined) return refuse(`one of its choices holds ${hidden}, which nobody sees`);
  const isText = texts.length === values.length;
  const kinds = isText ? ["string"] : ["integer", "number"];
  if (typeof kind === "string" && !kinds.includes(kind)) return refuse("its choices are not of its type");
  if (isText) return { ok: true, value: { which: "choice", choice: [...new Set(texts)] } };
  const numbers = values.filter((one) => Number.isSafeInteger(one)).map(Number);
  if (numbers.length !== values.length) return refuse("its choices are neither all texts nor all whole numbers");
  return makeBoundedInteger(Math.min(...numbers), Math.max(...numbers));
}

function readInteger(schema: JsonRecord): Result<DescribedType> {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  // In old drafts a bound that is excluded is named beside.
  const [above, below] = [
    exclusiveMinimum === true ? minimum : exclusiveMinimum,
    exclusiveMaximum === true ? maximum : exclusiveMaximum,
  ];
  const lows = [numberIn(minimum), computeNext(above, 1)].filter((one) => one !== undefined);
  const highs = [numberIn(maximum), computeNext(below, -1)].filter((one) => one !== undefined);
  const safe = Number(SAFE_INTEGER);
  return makeBoundedInteger(Math.ceil(Math.max(-safe, ...lows)), Math.floor(Math.min(safe, ...highs)));
}

/** The first whole number beyond one that is excluded. */
function computeNext(excluded: Json | undefined, step: 1 | -1): number | undefined {
  const number = numberIn(excluded);
  if (number === undefined) return undefined;
  return step === 1 ? Math.floor(number) + 1 : Math.ceil(number) - 1;
}

/** A limit, as near as a double comes to it: beyond 2^53 all of them are cut to the same. `undefined` for what is not a number. */
function numberIn(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value;
  const source = findOddity(value)?.source ?? "";
  return /^-?[0-9]/.test(source) ? Number(source) : undefined;
}

function makeBoundedInteger(low: number, high: number): Result<DescribedType> {
  if (low > high) return refuse(`no number is at least ${low} and at most ${high}`);
  return { ok: true, value: { which: "integer", integer: { low: BigInt(low), high: BigInt(high) } } };
}

function listOf(items: Json, place: Place): Result<DescribedType> {
  const type = typeOf(items, { ...place, path: `${place.path}[]`, wasNullable: false, beside: {} });
  return type.ok ? { ok: true, value: { which: "list", list: type.value } } : refuse(`its items: ${type.reason}`);
}

const MEMBER = "its member ";

/** Inside a record nothing is left out: half a record would be another one. */
function recordOf(schema: JsonRecord, place: Place): Result<DescribedType> {
  if (schema["properties"] === undefined) return refuse("it is an object of any members");
  const omitted: OmittedParam[] = [];
  const members = readMembers(schema, place, omitted);
  if (!members.ok) return members;
  const [first] = omitted;
  if (first === undefined) return { ok: true, value: { which: "record", record: members.value } };
  // Of records within records the innermost reason is told.
  if (first.reason.startsWith(MEMBER)) return refuse(first.reason);
  return refuse(`${MEMBER}${JSON.stringify(first.name)} has no shape: ${first.reason}`);
}

/** Rules that no shape holds, by what they are about; in the order in which a model is told them. */
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
};
/** About any value, where it has a shape of its own. */
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
/** Bounds of whole numbers, which shapes hold where they are numbers. */
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const MAX_RULE = 200;
const LEAVE_OUT = "leave it out instead of null";

/** Notes what a schema says beyond the shape that it was given, for the model in words and for whoever imports it by name. */
function note(schema: JsonRecord, type: DescribedType, { path, unheld, words, wasNullable }: Place): void {
  const rules = [...RULES[type.which], ...RULES_BESIDE].filter((rule) => {
    const limit = schema[rule];
    return limit !== undefined && limit !== false;
  });
  if (type.which === "integer") rules.push(...BOUNDS.filter((bound) => isUnread(schema[bound])));
  if (type.which === "integer" && hasGaps(schema["enum"])) rules.push("enum");
  const each = "each item: ".repeat(/(?:\[\])*$/.exec(path)?.[0].length ? 1 : 0);
  words.push(
    ...rules.map((rule) => `${each}${rule === "enum" ? "one of" : rule} ${shortenRule(schema[rule] ?? null)}`),
  );
  const { default: unless } = schema;
  // A default that no call may have would be offered and refused.
  if (unless !== undefined && unless !== null && isSayable(unless))
    words.push(`${each}default ${renderTolerantJson(unless)}`);
  const takesNull =
    wasNullable || schema["nullable"] === true || hasWord(schema["type"], "null") || hasWord(schema["enum"], null);
  if (takesNull) rules.push("null");
  if (rules.length > 0) unheld.push({ path, rules });
}

function isUnread(bound: Json | undefined): boolean {
  return bound !== undefined && typeof bound !== "boolean" && numberIn(bound) === undefined;
}

function isSayable(value: Json): boolean {
  return !isRecord(value) || findOddity(value) !== undefined;
}

function shortenRule(rule: Json): string {
  const text = renderTolerantJson(rule);
  return text.length > MAX_RULE ? `${text.slice(0, MAX_RULE).toWellFormed()}…` : text;
}

function hasGaps(choices: Json | undefined): boolean {
  const numbers = new Set(
    choices !== undefined && isList(choices) ? choices.filter((one) => typeof one === "number") : [],
  );
  return numbers.size > 0 && Math.max(...numbers) - Math.min(...numbers) + 1 !== numbers.size;
}

function hasWord(list: Json | undefined, word: Json): boolean {
  return list !== undefined && isList(list) && list.includes(word);
}

/** What the server says of an argument, and those of its rules that the shape does not hold. */
function renderDoc(schema: Json, rules: readonly string[]): string {
  const description = isRecord(schema) ? schema["description"] : undefined;
  const words = typeof description === "string" ? [description.trim()] : [];
  return [...words, ...(rules.length > 0 ? [`(${rules.join("; ")})`] : [])].filter((part) => part !== "").join(" ");
}
