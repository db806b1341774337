import type {
  FloorCondition,
  FloorLine,
  FloorWhere,
  Narrowing,
  QuotaEntry,
  QuotaNode,
  TimeLimit,
  WhenNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { parseChecks, parseModeAndPatterns, parsePatterns, parsePermission } from "./lines.ts";
import { parseBlock, parseList, parseQuantity } from "./names.ts";

// Parses elements that narrow a session, a task, a phase or a worker.

export function parseNarrowing(at: Cursor): Narrowing {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "when":
      return parseWhen(at);
    case "quota":
      return parseQuota(at);
    case "permit":
      at.step();
      return { kind, lines: parseBlock(at, parsePermission), span: at.closeSpan(start) };
    case "only":
    case "suppress":
      at.step();
      return { kind, patterns: parsePatterns(at), span: at.closeSpan(start) };
    case "remember":
      at.step();
      return { kind, scope: at.takeName(), span: at.closeSpan(start) };
    case "timeout":
      at.step();
      return { kind, limits: parseBlock(at, parseTimeLimit), span: at.closeSpan(start) };
    default:
      return at.refuse();
  }
}

export function parseDocumentedNarrowing(at: Cursor): Narrowing {
  at.takeDoc();
  return parseNarrowing(at);
}

function parseWhen(at: Cursor): WhenNode {
  const start = at.start();
  at.take("when");
  const met = parseList(at, parseMet, "and");
  return { kind: "when", met, floors: parseBlock(at, parseFloor), span: at.closeSpan(start) };
}

function parseMet(at: Cursor): FloorCondition {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "confidentiality":
      at.step();
      at.take(">=");
      return { kind, level: at.takeName(), span: at.closeSpan(start) };
    case "integrity":
      at.step();
      at.take("<=");
      return { kind, level: at.takeName(), span: at.closeSpan(start) };
    case "compartment":
      at.step();
      return { kind, compartment: at.takeName(), span: at.closeSpan(start) };
    case "unattended":
      at.step();
      return { kind, span: at.closeSpan(start) };
    default:
      return at.refuse();
  }
}

function parseFloor(at: Cursor): FloorLine {
  const start = at.start();
  at.take("atLeast");
  const { mode, patterns: covered } = parseModeAndPatterns(at);
  const where = at.kind === "where" ? parseFloorWhere(at) : undefined;
  return { mode, patterns: covered, where, span: at.closeSpan(start) };
}

function parseFloorWhere(at: Cursor): FloorWhere {
  const start = at.start();
  const checks = parseChecks(at);
  return { checks, span: at.closeSpan(start) };
}

export function parseQuota(at: Cursor): QuotaNode {
  const start = at.start();
  at.take("quota");
  return { kind: "quota", entries: parseBlock(at, parseQuotaEntry), span: at.closeSpan(start) };
}

export function parseQuotaEntry(at: Cursor): QuotaEntry {
  const start = at.start();
  const amount = at.takeNumeral();
  const unit = at.takeName();
  const noun = at.isName() ? at.takeName() : undefined;
  at.take("per");
  const scope = at.takeName();
  return { amount, unit, noun, scope, span: at.closeSpan(start) };
}

function parseTimeLimit(at: Cursor): TimeLimit {
  const start = at.start();
  const limit = parseQuantity(at);
  at.take("per");
  const scope = at.takeName();
  return { limit, scope, span: at.closeSpan(start) };
}
