// Samples whole values of an argument, for conditions on its elements, its absence, or parts of its text. The samples
// are lists of the values that conditions compare, and records with these values in their fields. The samples are not
// complete, so a search that finds nothing proves nothing.
import { type Json, MAX_JSON_BYTES } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Param, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { buildDefaultArgument } from "./build-arguments.ts";
import { sampleCandidates } from "./candidates.ts";
import { sampleHosts } from "./texts.ts";

/** Maximum number of sample values of one part of an argument. `MOST_WHOLES` is the maximum for the whole argument. */
const MOST_VALUES = 48;
const MOST_WHOLES = 512;
/** Maximum number of values that are used for lists of two elements. */
const MOST_PAIRED = 12;
const LONGEST_LIST = 1024;

/**
 * Returns sample values of an argument of this type. `skip` is the number of names at the start of each condition's
 * path that lead to this argument.
 */
export function sampleWholes(type: Type, conditions: readonly Condition[], skip: number): readonly Json[] {
  return sampleValues(type, dropNames(conditions, skip));
}

function dropNames(conditions: readonly Condition[], count: number): readonly Condition[] {
  return conditions.map((condition) => ({ ...condition, path: condition.path.slice(count) }));
}

/** Returns sample values. The paths of `conditions` begin at the value. */
function sampleValues(type: Type, conditions: readonly Condition[]): readonly Json[] {
  switch (type.which) {
    case "record":
      return sampleRecords(type.record, conditions);
    case "list":
      return sampleLists(type.list, conditions);
    case "text": {
      const running = sampleRunningTexts(conditions.filter(({ extract }) => extract !== "none"));
      const { values } = sampleCandidates(
        type,
        conditions.filter(({ extract }) => extract === "none"),
      );
      const longest = type.text.maxBytes || MAX_JSON_BYTES;
      const words = conditions.some(({ operator, each }) => operator === "from" && each !== "single") ? TWO_WORDS : [];
      return [
        ...running.filter((text) => Buffer.byteLength(text) <= longest),
        ...new Set([...words, ...values.slice(0, MOST_VALUES)]),
      ];
    }
    case "boolean":
    case "integer":
    case "number":
    case "choice":
    case "json":
    case "either":
      return sampleCandidates(type, conditions).values.slice(0, MOST_VALUES);
  }
}

/** Two texts that may have different sources. */
const TWO_WORDS = ["a", "b"];

/** Returns sample records. Fields without a condition get the simplest value, or are omitted if they are optional. */
function sampleRecords(params: readonly Param[], conditions: readonly Condition[]): readonly Json[] {
  let records: readonly Readonly<Record<string, Json>>[] = [{}];
  for (const { name, type, required } of params) {
    const asked = conditions.filter(({ path }) => path[0] === name);
    const plain = buildDefaultArgument(type);
    const values = asked.length > 0 ? sampleValues(type, dropNames(asked, 1)) : plain === undefined ? [] : [plain];
    const absent = required ? [] : records;
    const present =
      required || asked.length > 0
        ? values.flatMap((value) => records.map((record) => ({ ...record, [name]: value })))
        : [];
    records = [...absent, ...present].slice(0, MOST_WHOLES);
  }
  return records;
}

/** Texts with two links, or two addresses, that may have different sources. */
const TWO_HOSTS = ["https://a.example https://b.example", "a@a.example b@a.example"];

/** Returns the empty list, lists of one and two elements, and lists of every length that a condition compares. */
function sampleLists(type: Type, conditions: readonly Condition[]): readonly Json[] {
  const sampled = sampleValues(
    type,
    conditions.filter(({ each }) => each !== "single"),
  );
  const plain = buildDefaultArgument(type);
  const elements = sampled.length > 0 || plain === undefined ? sampled.slice(0, MOST_VALUES) : [plain];
  const few = elements.slice(0, MOST_PAIRED);
  const counts = conditions.filter(
    ({ each, term, path }) => each === "single" && term === "count" && path.length === 0,
  );
  const lengths = listCounts(counts).filter((length) => length > 2);
  return [
    [],
    ...elements.map((element) => [element]),
    ...few.flatMap((one) => few.map((other) => [one, other])),
    ...lengths.flatMap((length) => few.map((element) => repeatElement(element, length))),
    ...lengths.flatMap((length) => few.map((element) => [...repeatElement(few[0] ?? element, length - 1), element])),
  ].slice(0, MOST_WHOLES);
}

function repeatElement(element: Json, length: number): readonly Json[] {
  return Array.from({ length }, () => element);
}

/** Returns the integers around the literals of conditions on counts, each once. */
function listCounts(counts: readonly Condition[]): readonly number[] {
  const literals = counts.flatMap(({ literals }) => literals);
  const around = literals.flatMap((literal) => {
    const count = literal.which === "decimal" ? Math.floor(Number(literal.decimal)) : 0;
    return [count - 1, count, count + 1];
  });
  return [...new Set(around)].filter((count) => count >= 0 && count <= LONGEST_LIST);
}

/**
 * Texts in which the gate cannot count links or addresses: a link without a host, and more links or addresses than the
 * gate counts.
 */
const UNTOLD = ["https:", "ws:".repeat(257), `${"a@".repeat(257)}a`];

/**
 * Returns texts with links or addresses in the domains of the conditions. The number of links or addresses is zero,
 * one, two, or one of the numbers that conditions compare.
 */
function sampleRunningTexts(conditions: readonly Condition[]): readonly string[] {
  if (conditions.length === 0) return [];
  const words = conditions.flatMap(({ literals }) =>
    literals.flatMap((one) => (one.which === "text" ? [one.text] : [])),
  );
  const domains = conditions
    .filter(({ term }) => term === "domain")
    .flatMap(({ literals }) => literals.flatMap((one) => (one.which === "text" ? [one.text] : [])));
  const ones = [...new Set([...sampleHosts(domains.slice(0, MOST_PAIRED)), ...words])].slice(0, MOST_VALUES);
  const few = ones.slice(0, MOST_PAIRED);
  const lengths = listCounts(conditions.filter(({ term }) => term === "count")).filter((count) => count <= 300);
  return [
    "",
    ...ones,
    ...(conditions.some(({ operator }) => operator === "from") ? TWO_HOSTS : []),
    ...few.flatMap((one) => few.map((other) => `${one} ${other}`)),
    ...lengths.flatMap((length) => few.map((one) => Array.from({ length }, () => one).join(" "))),
    ...UNTOLD,
  ];
}
