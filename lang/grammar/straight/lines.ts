import type {
  Check,
  Comparison,
  Line,
  Literal,
  Name,
  Pattern,
  Reference,
  Term,
  Test,
  Where,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { because, joined, listed, mode, reference, referenceFrom, truth } from "./names.ts";

// Permission lines: mode, patterns, `where … else`.

export function line(at: Cursor): Line {
  const start = at.start();
  const { mode: granted, patterns: covered } = modeAndPatterns(at);
  const where = at.kind === "where" ? condition(at) : undefined;
  const reason = at.kind === "because" ? because(at) : undefined;
  return { mode: granted, patterns: covered, where, because: reason, span: at.since(start) };
}

export function modeAndPatterns(at: Cursor): Pick<Line, "mode" | "patterns"> {
  const granted = mode(at);
  return { mode: granted, patterns: patterns(at) };
}

export function patterns(at: Cursor): Pattern[] {
  return listed(at, pattern);
}

function pattern(at: Cursor): Pattern {
  const start = at.start();
  if (at.takes("*")) return { kind: "everything", span: at.since(start) };
  const first = at.name();
  if (at.kind === ".") return dotted(at, start, first);
  return at.takes("in")
    ? within(at, start, joined([first]))
    : { kind: "named", name: joined([first]), span: first.span };
}

function dotted(at: Cursor, start: number, first: Name): Pattern {
  const parts = [first];
  while (at.takes(".")) {
    if (at.takes("*")) return { kind: "all-of", name: joined(parts.slice()), span: at.since(start) };
    parts.push(at.member());
  }
  const name = joined(parts.slice());
  return at.takes("in") ? within(at, start, name) : { kind: "named", name, span: name.span };
}

function within(at: Cursor, start: number, name: Reference): Pattern {
  return { kind: "within", name, owner: reference(at), span: at.since(start) };
}

function condition(at: Cursor): Where {
  const start = at.start();
  at.take("where");
  const checks = listed(at, check, "and");
  at.take("else");
  const otherwise = mode(at);
  return { checks, otherwise, span: at.since(start) };
}

function check(at: Cursor): Check {
  const start = at.start();
  const term = termOf(at);
  const test = testOf(at);
  return { term, test, span: at.since(start) };
}

function termOf(at: Cursor): Term {
  const start = at.start();
  const first = at.member();
  if (at.takes("(")) {
    const argument = reference(at);
    at.take(")");
    return { function: first, argument, span: at.since(start) };
  }
  const argument = referenceFrom(at, first);
  return { function: undefined, argument, span: argument.span };
}

function testOf(at: Cursor): Test {
  if (at.takes("under")) return { kind: "under", root: at.words() };
  if (!at.takes("in")) return { kind: "compare", operator: comparison(at), literal: literal(at) };
  at.take("[");
  const literals = listed(at, literal);
  at.take("]");
  return { kind: "in", literals };
}

function comparison(at: Cursor): Comparison {
  const { kind } = at;
  switch (kind) {
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
      at.step();
      return kind;
    default:
      return at.refuse();
  }
}

function literal(at: Cursor): Literal {
  if (at.kind === "String") {
    const { value, span } = at.words();
    return { kind: "text", value, span };
  }
  const start = at.start();
  if (at.kind !== "Number") return { kind: "boolean", value: truth(at), span: at.since(start) };
  const amount = at.numeral();
  if (!at.isName()) return { kind: "number", amount, unit: undefined, span: amount.span };
  return { kind: "number", amount, unit: at.name(), span: at.since(start) };
}
