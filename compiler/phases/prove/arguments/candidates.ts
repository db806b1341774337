import { asksForParameters, type Json, MAX_JSON_BYTES } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { isOfText, isSafe } from "../../conditions/index.ts";
import { parseDistinctDecimals, sampleDecimals, sampleIntegers } from "./amounts.ts";
import { buildDefaultArgument } from "./build-arguments.ts";
import { type Literals, sampleTexts } from "./texts.ts";

/** Sample values of one argument, on which conditions are evaluated. */
interface Candidates {
  readonly values: readonly Json[];
  /** Whether every other value of the type gives the conditions the same results as one of the samples. */
  readonly complete: boolean;
}

/**
 * Maximum number of literals that are sampled for one argument. A list of a thousand words is one condition, and one of its words suffices
 * to meet it.
 */
export const MOST_LITERALS = 256;

/** `conditions` are all conditions of a decision list on an argument of this type. */
export function sampleCandidates(type: Type, conditions: readonly Condition[]): Candidates {
  const { values, complete } = sampleType(type, conditions);
  // The samples do not cover the values of parameters, which a person chooses.
  return { values, complete: complete && !conditions.some(asksForParameters) };
}

function sampleType(type: Type, conditions: readonly Condition[]): Candidates {
  const literals = collectLiterals(conditions);
  switch (type.which) {
    case "boolean":
      return { values: [false, true], complete: true };
    case "choice":
      return { values: type.choice, complete: true };
    case "list":
    case "record": {
      // No condition can be evaluated on a value of this type, so one value represents all values.
      const value = buildDefaultArgument(type);
      return { values: value === undefined ? [] : [value], complete: true };
    }
    case "json":
    case "either": {
      // On a page, conditions on such values are errors. In tables that capc did not compile, such a condition may have any result.
      const value = buildDefaultArgument(type);
      return { values: value === undefined ? [] : [value], complete: false };
    }
    case "integer": {
      const around = parseDistinctDecimals(literals.decimals);
      const all = isSafe(type.integer) && literals.decimals.length < MOST_LITERALS;
      return { values: sampleIntegers(around, type.integer), complete: all };
    }
    case "number":
      return { values: sampleNumbers(literals.decimals), complete: false };
    case "text":
      return { values: sampleTexts(literals, type.text.maxBytes || MAX_JSON_BYTES), complete: false };
  }
}

/** Number that ECMAScript writes with an exponent. It is not an exact decimal, so comparisons with it are unknown. */
const INEXACT = 1e-7;

function sampleNumbers(literals: readonly string[]): readonly number[] {
  const numbers = [0, ...sampleDecimals(parseDistinctDecimals(literals)).map(Number)];
  // Values that the reader refuses cannot be arguments.
  return [...new Set([...numbers, INEXACT])].filter(
    (number) => !Number.isInteger(number) || Number.isSafeInteger(number),
  );
}

/** Returns the literals of the conditions, separated by kind. */
export function collectLiterals(conditions: readonly Condition[]): Literals {
  const collect = (asked: (condition: Condition) => boolean, readLiteral: (literal: Literal) => string | undefined) => {
    const about = conditions.filter(asked);
    if (about.length === 0) return NO_TEXTS;
    const texts = about.flatMap(({ literals }) => literals.flatMap((literal) => readLiteral(literal) ?? []));
    return [...new Set(texts)].slice(0, MOST_LITERALS);
  };
  const isValue = ({ term, operator }: Condition) => term === "value" && operator !== "under" && !isOfText(operator);
  return {
    words: collect(isValue, readText),
    folders: collect(({ term, operator }) => operator === "under" && term !== "domain", readText),
    domains: collect(({ term }) => term === "domain", readText),
    starts: collect(({ operator }) => operator === "startsWith", readText),
    patterns: collect(({ operator }) => operator === "matches", readText),
    dates: collect(({ term }) => term === "date", readDecimal),
    durations: collect(({ term }) => term === "duration", readDecimal),
    ends: collect(({ operator }) => operator === "endsWith", readText),
    origins: collect(({ term }) => term === "origin", readText),
    decimals: collect(isValue, readDecimal),
    sizes: collect(({ term }) => term === "size", readDecimal).map((text) => Math.floor(Number(text))),
  };
}

const NO_TEXTS: readonly string[] = [];

function readText(literal: Literal): string | undefined {
  return literal.which === "text" ? literal.text : undefined;
}

function readDecimal(literal: Literal): string | undefined {
  return literal.which === "decimal" ? literal.decimal : undefined;
}
