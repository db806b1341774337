import type {
  Check,
  Literal as LiteralNode,
  Name,
  Operand,
  ParameterNode,
  Reference,
  Term,
  Test,
} from "../../../lang/tree/index.ts";
import { misplacedFunction } from "./codes.ts";
import { type Context, resolve, resolveWord } from "./context.ts";
import { type BoundLiteral, bindDuration, bindLiteral, convertTime } from "./literals.ts";
import { type ParameterWords, resolveParameter } from "./parameters.ts";
import type { BoundSet } from "./sets.ts";
import { type BoundSource, bindSources, type SourceWords } from "./sources.ts";

/** Names that a condition may refer to. */
export interface ConditionWords extends SourceWords, ParameterWords {
  readonly sets: ReadonlyMap<string, BoundSet>;
}

type TermKind = "value" | "size" | "origin" | "count" | "domain" | "has" | "date" | "duration";
type Operator =
  | ("equal" | "notEqual" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual")
  | ("in" | "under" | "startsWith" | "endsWith" | "matches" | "from");

/**
 * Subject of a condition: the value at `path`, or every or some element of it. `term` is the property of the value that
 * the condition compares. `extract` is the kind of parts that the condition takes from a text.
 */
export interface BoundTerm {
  readonly path: readonly string[];
  readonly each: "single" | "every" | "some";
  readonly term: TermKind;
  readonly extract: "none" | "urls" | "addresses";
}

/** A test of one argument, as the page states it. Whether each tool has such an argument is not known yet. */
export interface BoundCheck extends BoundTerm {
  readonly operator: Operator;
  readonly literals: readonly BoundLiteral[];
  /** Sources of a `from` condition; empty for every other operator. */
  readonly sources: readonly BoundSource[];
  /** Whether the check holds for an argument that is absent or null. */
  readonly absentHolds: boolean;
  readonly node: Check;
}

const OPERATORS = {
  "==": "equal",
  "!=": "notEqual",
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
} as const;

/**
 * Resolves a check of the page; sizes are converted to bytes, and dates and durations to milliseconds. If a name is
 * unknown, reports it and returns `undefined`.
 */
export function bindCheck(context: Context, words: ConditionWords, node: Check): BoundCheck | undefined {
  const { test } = node;
  const term = test.kind === "has" ? { ...PLAIN, term: "has" as const } : bindFunctions(context, node.term);
  const literals = bindLiterals(context, words, node, term?.term ?? "value");
  const sources = test.kind === "from" ? bindSources(context, words, test.sources) : [];
  if (term === undefined || literals === undefined || sources === undefined) return undefined;
  const path = node.term.argument.parts.map((part) => part.text);
  const isMetIfAbsent = { absentHolds: node.isMetIfAbsent };
  return { path, ...term, operator: getOperator(test), literals, ...isMetIfAbsent, sources, node };
}

function getOperator(test: Test): Operator {
  if (test.kind === "compare") return OPERATORS[test.operator];
  if (test.kind === "has") return "equal";
  if (test.kind === "by-parameter") return test.operator;
  return test.kind === "in-set" ? "in" : test.kind;
}

type Functions = Omit<BoundTerm, "path">;

const PLAIN: Functions = { each: "single", term: "value", extract: "none" };

/**
 * Functions of a term, in three lists in the order in which they may be nested, as in `every(domain(urls(text)))`:
 * quantifiers are outermost.
 */
const QUANTIFIERS = ["every", "some"] as const;
const TERMS = ["count", "date", "domain", "duration", "origin", "size"] as const;
const EXTRACTS = ["addresses", "urls"] as const;

/** All functions that a term may contain. */
export const FUNCTIONS = [...QUANTIFIERS, ...TERMS, ...EXTRACTS] as const;

/** Returns the combined meaning of a term's functions, or `undefined` if they cannot be combined, which is reported. */
function bindFunctions(context: Context, { functions, argument }: Term): Functions | undefined {
  let bound: Functions = PLAIN;
  for (const name of functions) {
    const word = resolveWord(context, "function", FUNCTIONS, name);
    if (word === undefined) return undefined;
    const next = placeFunction(bound, word);
    if (next === undefined) {
      context.report(
        misplacedFunction.at(name.span, { name: word, why: ORDER, instead: reorder(functions, argument) }),
      );
      return undefined;
    }
    bound = next;
  }
  const fault = explainFunctions(bound, argument);
  const [first] = functions;
  if (fault === undefined || first === undefined) return bound;
  context.report(misplacedFunction.at(first.span, { name: first.text, ...fault }));
  return undefined;
}

const ORDER = "the quantifier stands outermost, and what is found in a text innermost, each once";

/** Adds an inner function to a term. Returns `undefined` if the function is not allowed there. */
function placeFunction(bound: Functions, word: string): Functions | undefined {
  const { each, term, extract } = bound;
  const isFirst = each === "single" && term === "value" && extract === "none";
  if (isOneOf(QUANTIFIERS, word)) return isFirst ? { ...bound, each: word } : undefined;
  if (isOneOf(TERMS, word)) return term === "value" && extract === "none" ? { ...bound, term: word } : undefined;
  return extract === "none" && isOneOf(EXTRACTS, word) ? { ...bound, extract: word } : undefined;
}

function isOneOf<W extends string>(words: readonly W[], word: string): word is W {
  return words.some((one) => one === word);
}

/** Returns advice to write the functions of a term in the order in which they may be nested. */
function reorder(functions: readonly Name[], argument: Reference): string {
  const words = functions.map(({ text }) => text);
  const sorted = FUNCTIONS.filter((word) => words.includes(word));
  return `write \`${sorted.reduceRight((inner, word) => `${word}(${inner})`, argument.text)}\``;
}

function explainFunctions(
  { each, term, extract }: Functions,
  { text }: Reference,
): { readonly why: string; readonly instead: string } | undefined {
  if (each !== "single" && term === "count")
    return { why: "`count` is asked of a whole list", instead: `write \`count(${text})\`` };
  if (each !== "single" || extract === "none" || term === "count") return undefined;
  const inner = term === "value" ? `${extract}(${text})` : `${term}(${extract}(${text}))`;
  return { why: `\`${extract}\` finds several values`, instead: `write \`every(${inner})\` or \`some(${inner})\`` };
}

function bindLiterals(
  context: Context,
  words: ConditionWords,
  { test }: Check,
  term: TermKind,
): BoundLiteral[] | undefined {
  switch (test.kind) {
    case "has":
      return [{ kind: "boolean", boolean: test.isWanted, node: undefined }];
    case "by-parameter":
      return bindParameterLiteral(context, words, test.parameter);
    case "under":
      return [{ kind: "text", text: test.root.value, node: undefined }];
    case "startsWith":
    case "endsWith":
    case "matches":
      return [{ kind: "text", text: test.text.value, node: undefined }];
    case "from":
      return [];
    case "in-set": {
      const named = resolve(context, { names: words.sets, what: "set", name: test.set });
      if (named === undefined || named.literals.length === 0) return undefined;
      // Report a bad literal of a set at the line that names the set, not where the set is declared.
      return named.literals.map((literal) => ({ ...convertTime(term, literal), node: undefined }));
    }
    case "in":
    case "compare": {
      const nodes = test.kind === "in" ? test.literals : [test.literal];
      const literals = nodes.map((node) => bindOperand(context, words, node, term));
      return literals.includes(undefined) ? undefined : literals.flatMap((literal) => literal ?? []);
    }
  }
}

function bindOperand(
  context: Context,
  words: ConditionWords,
  node: Operand,
  term: TermKind,
): readonly BoundLiteral[] | undefined {
  if (node.kind === "parameter") return bindParameterLiteral(context, words, node);
  const literal = bindTermLiteral(context, node, term);
  return literal && [literal];
}

function bindParameterLiteral(
  context: Context,
  words: ConditionWords,
  node: ParameterNode,
): BoundLiteral[] | undefined {
  const parameter = resolveParameter(context, words, node);
  return parameter && [{ kind: "parameter", parameter, node: undefined }];
}

function bindTermLiteral(context: Context, node: LiteralNode, term: TermKind): BoundLiteral | undefined {
  if (term === "duration" && node.kind === "number") return bindDuration(context, node);
  const literal = bindLiteral(context, node);
  return literal && convertTime(term, literal);
}
