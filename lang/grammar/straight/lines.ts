import type {
  Check,
  Comparison,
  Line,
  Literal,
  Name,
  Operand,
  ParameterNode,
  ParameterTest,
  Pattern,
  Reference,
  RelatedNode,
  SourceNode,
  Term,
  Test,
  WhereClause,
} from "../../tree/index.ts";
import { isPresence } from "../presence.ts";
import { type Kind, MODES } from "../vocabulary.ts";
import type { Cursor } from "./cursor.ts";
import {
  joinParts,
  parseBecause,
  parseBoolean,
  parseList,
  parseMode,
  parseReference,
  parseReferenceFrom,
} from "./names.ts";

// Parses permission lines: mode, patterns, `where … else`.

export function parseLine(at: Cursor): Line {
  const start = at.start();
  const { mode: granted, patterns: covered } = parseModeAndPatterns(at);
  const where = at.kind === "where" ? parseCondition(at) : undefined;
  const reason = at.kind === "because" ? parseBecause(at) : undefined;
  return { mode: granted, isInherited: false, patterns: covered, where, because: reason, span: at.closeSpan(start) };
}

export function parsePermission(at: Cursor): Line {
  return at.kind === "inherit" ? parseInherited(at) : parseLine(at);
}

function parseInherited(at: Cursor): Line {
  const start = at.start();
  at.take("inherit");
  const mode: Line["mode"] = { mode: "auto", span: at.closeSpan(start) };
  const patterns = parsePatterns(at);
  const where = parseCondition(at);
  const because = at.kind === "because" ? parseBecause(at) : undefined;
  return { mode, isInherited: true, patterns, where, because, span: at.closeSpan(start) };
}

export function parseModeAndPatterns(at: Cursor): Pick<Line, "mode" | "patterns"> {
  const granted = parseMode(at);
  return { mode: granted, patterns: parsePatterns(at) };
}

export function parsePatterns(at: Cursor): Pattern[] {
  return parseList(at, parsePattern);
}

function parsePattern(at: Cursor): Pattern {
  const start = at.start();
  if (at.tryTake("*")) return { kind: "everything", span: at.closeSpan(start) };
  const first = at.takeName();
  if (at.kind === ".") return parseDotted(at, start, first);
  return at.tryTake("in")
    ? parseWithin(at, start, joinParts([first]))
    : { kind: "named", name: joinParts([first]), span: first.span };
}

function parseDotted(at: Cursor, start: number, first: Name): Pattern {
  const parts = [first];
  while (at.tryTake(".")) {
    if (at.tryTake("*")) return { kind: "all-of", name: joinParts(parts.slice()), span: at.closeSpan(start) };
    parts.push(at.takeMember());
  }
  const name = joinParts(parts.slice());
  return at.tryTake("in") ? parseWithin(at, start, name) : { kind: "named", name, span: name.span };
}

function parseWithin(at: Cursor, start: number, name: Reference): Pattern {
  return { kind: "within", name, owner: parseReference(at), span: at.closeSpan(start) };
}

function parseCondition(at: Cursor): WhereClause {
  const start = at.start();
  const checks = parseChecks(at);
  at.take("else");
  const otherwise = parseMode(at);
  return { checks, otherwise, span: at.closeSpan(start) };
}

/** Parses `where path under "/a" and size(content) < 5`, without the rest of the line. */
export function parseChecks(at: Cursor): Check[] {
  at.take("where");
  return parseList(at, parseCheck, "and");
}

function parseCheck(at: Cursor): Check {
  const start = at.start();
  if (at.kind === "not" && at.peekSecond() === "has") return parseAbsence(at, start);
  const term = parseTerm(at);
  if (isPresence(term) && !isTestStart(at.kind)) {
    const alone = { ...term, functions: NO_FUNCTIONS };
    return { term: alone, test: { kind: "has", isWanted: true }, isMetIfAbsent: false, span: at.closeSpan(start) };
  }
  const test = testOf(at);
  const isMetIfAbsent = at.tryTake("or");
  if (isMetIfAbsent) at.take("absent");
  return { term, test, isMetIfAbsent, span: at.closeSpan(start) };
}

function parseAbsence(at: Cursor, start: number): Check {
  at.take("not");
  const inner = at.start();
  at.take("has");
  at.take("(");
  const argument = parseReference(at);
  at.take(")");
  const term = { functions: NO_FUNCTIONS, argument, span: at.closeSpan(inner) };
  return { term, test: { kind: "has", isWanted: false }, isMetIfAbsent: false, span: at.closeSpan(start) };
}

const NO_FUNCTIONS: readonly Name[] = [];

function parseTerm(at: Cursor): Term {
  const start = at.start();
  const first = at.takeMember();
  if (at.tryTake("(")) {
    const { functions, argument } = parseTerm(at);
    at.take(")");
    return { functions: [first, ...functions], argument, span: at.closeSpan(start) };
  }
  const argument = parseReferenceFrom(at, first);
  return { functions: NO_FUNCTIONS, argument, span: argument.span };
}

const TESTS: ReadonlySet<Kind> = new Set(["in", "under", "from", "startsWith", "endsWith", "matches"]);

function isTestStart(kind: Kind): boolean {
  return TESTS.has(kind) || isComparison(kind);
}

function testOf(at: Cursor): Test {
  const { kind } = at;
  if (kind === "under" || kind === "startsWith" || kind === "endsWith") {
    at.step();
    return parseTextTest(at, kind);
  }
  if (at.tryTake("from")) return { kind: "from", sources: parseList(at, parseOrigin) };
  if (at.tryTake("matches")) return { kind: "matches", text: at.takeWords() };
  if (!at.tryTake("in")) return { kind: "compare", operator: parseComparison(at), literal: parseOperand(at) };
  return at.kind === "["
    ? { kind: "in", literals: parseBracketed(at, parseOperand) }
    : { kind: "in-set", set: at.takeName() };
}

/** Parses `["a", "b"]`. */
export function parseLiterals(at: Cursor): Literal[] {
  return parseBracketed(at, parseLiteral);
}

function parseBracketed<T>(at: Cursor, element: (at: Cursor) => T): T[] {
  at.take("[");
  const elements = parseList(at, element);
  at.take("]");
  return elements;
}

function parseTextTest(at: Cursor, operator: ParameterTest): Test {
  if (at.kind === "task") return { kind: "by-parameter", operator, parameter: parseParameter(at) };
  return operator === "under" ? { kind: operator, root: at.takeWords() } : { kind: operator, text: at.takeWords() };
}

function parseOperand(at: Cursor): Operand {
  return at.kind === "task" ? parseParameter(at) : parseLiteral(at);
}

/** Parses `task.limit`. */
function parseParameter(at: Cursor): ParameterNode {
  const start = at.start();
  at.take("task");
  at.take(".");
  return { kind: "parameter", name: at.takeName(), span: at.closeSpan(start) };
}

function parseOrigin(at: Cursor): SourceNode {
  const start = at.start();
  const parts = [at.takeName()];
  while (at.tryTake(".")) parts.push(at.takeMember());
  let call: readonly RelatedNode[] = [];
  if (at.tryTake("(")) {
    call = parseList(at, parseRelation, "and");
    at.take(")");
    while (at.tryTake(".")) parts.push(at.takeMember());
  }
  let record: readonly RelatedNode[] = [];
  if (at.tryTake("[")) {
    record = parseList(at, parseRelation, "and");
    at.take("]");
  }
  return { name: joinParts(parts), call, record, span: at.closeSpan(start) };
}

function parseRelation(at: Cursor): RelatedNode {
  const start = at.start();
  const field = parseReference(at);
  const test = parseRelationTest(at);
  return { field, test, span: at.closeSpan(start) };
}

function parseRelationTest(at: Cursor): RelatedNode["test"] {
  if (at.tryTake("==")) return { kind: "is", text: at.takeWords() };
  at.take("from");
  return { kind: "from", sources: parseList(at, parseReference) };
}

function isComparison(kind: Kind): kind is Comparison {
  return kind === "==" || kind === "!=" || kind === "<" || kind === "<=" || kind === ">" || kind === ">=";
}

function parseComparison(at: Cursor): Comparison {
  const { kind } = at;
  if (!isComparison(kind)) return at.refuse();
  at.step();
  return kind;
}

function isMode(kind: Kind): boolean {
  return MODES.some((mode) => mode === kind);
}

/**
 * Returns whether the word after a number is not a unit, such as `EUR` in `5 EUR`. It is not a unit if it begins `or
 * absent`, or the next line of a `when` block, such as `atLeast consent`.
 */
function isBehindNumber(at: Cursor): boolean {
  if (at.kind === "or") return at.peekSecond() === "absent";
  return at.kind === "atLeast" && isMode(at.peekSecond());
}

export function parseLiteral(at: Cursor): Literal {
  if (at.kind === "String") {
    const { value, span } = at.takeWords();
    return { kind: "text", value, span };
  }
  const start = at.start();
  if (at.kind !== "Number") return { kind: "boolean", value: parseBoolean(at), span: at.closeSpan(start) };
  const amount = at.takeNumeral();
  if (!at.isName() || isBehindNumber(at)) return { kind: "number", amount, unit: undefined, span: amount.span };
  return { kind: "number", amount, unit: at.takeName(), span: at.closeSpan(start) };
}
