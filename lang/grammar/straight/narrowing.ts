import type { FloorLine, Met, Narrowing, QuotaEntry, QuotaNode, TimeLimit, WhenNode } from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { line, modeAndPatterns, patterns } from "./lines.ts";
import { block, listed, quantity } from "./names.ts";

// What narrows a session, a task, a phase or a worker.

export function narrowing(at: Cursor): Narrowing {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "when":
      return when(at);
    case "quota":
      return quota(at);
    case "permit":
      at.step();
      return { kind, lines: block(at, line), span: at.since(start) };
    case "only":
    case "suppress":
      at.step();
      return { kind, patterns: patterns(at), span: at.since(start) };
    case "remember":
      at.step();
      return { kind, scope: at.name(), span: at.since(start) };
    case "timeout":
      at.step();
      return { kind, limits: block(at, timeLimit), span: at.since(start) };
    default:
      return at.refuse();
  }
}

export function documentedNarrowing(at: Cursor): Narrowing {
  at.doc();
  return narrowing(at);
}

function when(at: Cursor): WhenNode {
  const start = at.start();
  at.take("when");
  const met = listed(at, metOf, "and");
  return { kind: "when", met, floors: block(at, floor), span: at.since(start) };
}

function metOf(at: Cursor): Met {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "confidentiality":
      at.step();
      at.take(">=");
      return { kind, level: at.name(), span: at.since(start) };
    case "integrity":
      at.step();
      at.take("<=");
      return { kind, level: at.name(), span: at.since(start) };
    case "compartment":
      at.step();
      return { kind, compartment: at.name(), span: at.since(start) };
    case "unattended":
      at.step();
      return { kind, span: at.since(start) };
    default:
      return at.refuse();
  }
}

function floor(at: Cursor): FloorLine {
  const start = at.start();
  at.take("atLeast");
  const { mode, patterns: covered } = modeAndPatterns(at);
  return { mode, patterns: covered, span: at.since(start) };
}

export function quota(at: Cursor): QuotaNode {
  const start = at.start();
  at.take("quota");
  return { kind: "quota", entries: block(at, quotaEntry), span: at.since(start) };
}

export function quotaEntry(at: Cursor): QuotaEntry {
  const start = at.start();
  const amount = at.numeral();
  const unit = at.name();
  const noun = at.isName() ? at.name() : undefined;
  at.take("per");
  const scope = at.name();
  return { amount, unit, noun, scope, span: at.since(start) };
}

function timeLimit(at: Cursor): TimeLimit {
  const start = at.start();
  const limit = quantity(at);
  at.take("per");
  const scope = at.name();
  return { limit, scope, span: at.since(start) };
}
