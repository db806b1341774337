import { asksForParameters, type Json, MAX_JSON_BYTES } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { isOfText, isSafe } from "../../conditions/index.ts";
import { parseDistinctDecimals, sampleDecimals, sampleIntegers } from "./amounts.ts";
import { buildDefaultArgument } from "./build-arguments.ts";
import { type Literals, sampleTexts } from "./texts.ts";

/** Sample values of one argument, on which the search evaluates conditions. */
interface Candidates {
  readonly values: readonly Json[];
  /**
   * Whether these values represent all values of the type: every value gives all conditions the same truths as one of
   * these values.
   */
  readonly complete: boolean;
}

/**
 * Maximum number of literals that are tried for one argument. A condition may list a thousand words. Each of these
 * words meets the condition, so it is enough to try some of them.
 */
export const MOST_LITERALS = 256;

/**
 * Returns sample values of an argument of this type. `conditions` are all conditions of a decision list on this
 * argument.
 */
export function sampleCandidates(type: Type, conditions: readonly Condition[]): Candidates {
  const { values, complete } = sampleType(type, conditions);
  // The samples do not cover the values that a person may choose for parameters.
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
      // No condition on an argument of this type can be evaluated, so any sample value is enough.
      const value = buildDefaultArgument(type);
      return { values: value === undefined ? [] : [value], complete: true };
    }
    case "json":
    case "either": {
      // Laws refuse conditions on an argument of this type. But tables that were not compiled from a page, such as the
      // random tables of tests, may have such conditions. So one sample is not enough.
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

/**
 * A number that ECMAScript writes with an exponent. Such a number is not an exact decimal, so a comparison with it is
 * unknown.
 */
const INEXACT = 1e-7;

function sampleNumbers(literals: readonly string[]): readonly number[] {
  const numbers = [0, ...sampleDecimals(parseDistinctDecimals(literals)).map(Number)];
  // Values that the reader refuses cannot be arguments.
  return [...new Set([...numbers, INEXACT])].filter(
    (number) => !Number.isInteger(number) || Number.isSafeInteger(number),
  );
}

/** Returns the literals of the conditions by their kind. */
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
