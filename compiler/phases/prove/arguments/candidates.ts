import { asksForParameters, type Json, MAX_JSON_BYTES } from "../../../../engine/lib/policy/index.ts";
import type { Condition, Literal, Type } from "../../../../engine/lib/wire/generated/policy.ts";
import { isOfText, isSafe } from "../../conditions/index.ts";
import { parseDistinctDecimals, sampleDecimals, sampleIntegers } from "./amounts.ts";
import { buildDefaultArgument } from "./build-arguments.ts";
import { type Literals, sampleTexts } from "./texts.ts";

/** Values of one argument to try conditions on. */
interface Candidates {
  readonly values: readonly Json[];
  /** No value of the type answers the conditions in a way that none of these does. */
  readonly complete: boolean;
}

/** Literals that are tried for one argument. A list of a thousand words is one condition, and any of its words meets it. */
export const MOST_LITERALS = 256;

/** `conditions`: all that a decision list asks of an argument of this type. */
export function sampleCandidates(type: Type, conditions: readonly Condition[]): Candidates {
  const { values, complete } = sampleType(type, conditions);
  // Nothing is said of values that a person chooses.
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
      // No condition can be evaluated on it, hence any value does.
      const value = buildDefaultArgument(type);
      return { values: value === undefined ? [] : [value], complete: true };
    }
    case "json":
    case "either": {
      // The laws refuse conditions on it. In tables of others, any answer may be given.
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

/** Number that ECMAScript writes with an exponent. It is not an exact decimal, so that comparisons with it cannot be evaluated. */
const INEXACT = 1e-7;

function sampleNumbers(literals: readonly string[]): readonly number[] {
  const numbers = [0, ...sampleDecimals(parseDistinctDecimals(literals)).map(Number)];
  // Values that the reader refuses cannot be arguments.
  return [...new Set([...numbers, INEXACT])].filter(
    (number) => !Number.isInteger(number) || Number.isSafeInteger(number),
  );
}

/** Returns the values that conditions compare with, each kind apart. */
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
