import type {
  ClearanceNode,
  ModelsNode,
  PhaseNode,
  SessionAttribute,
  SessionNode,
  TaskAttribute,
  TaskNode,
  TaskParameterNode,
  WidenLine,
  WidenNode,
  WorkerNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { parseLine } from "./lines.ts";
import {
  parseBecause,
  parseBlock,
  parseGate,
  parseLabel,
  parseList,
  parseMode,
  parseName,
  parseReference,
} from "./names.ts";
import { parseDocumentedNarrowing, parseNarrowing, parseQuota } from "./narrowing.ts";
import { parseRelease } from "./statements.ts";

// Parses sessions, tasks and workers.

export function parseSession(at: Cursor): SessionNode {
  const start = at.start();
  const doc = at.takeDoc();
  const abstract = at.tryTake("abstract");
  at.take("session");
  const named = at.takeName();
  const base = parseBase(at);
  const attributes = parseBlock(at, parseSessionAttribute);
  return { kind: "session", name: named, doc, abstract, base, attributes, damaged: false, span: at.closeSpan(start) };
}

function parseBase(at: Cursor): SessionNode["base"] {
  const { kind } = at;
  if (kind !== "extends" && kind !== "from") return undefined;
  at.step();
  return { relation: kind, name: parseReference(at) };
}

function parseSessionAttribute(at: Cursor): SessionAttribute {
  const start = at.start();
  at.takeDoc();
  const { kind } = at;
  switch (kind) {
    case "kind":
      at.step();
      return { kind, name: at.takeName(), span: at.closeSpan(start) };
    case "principals":
      at.step();
      return { kind, names: parseList(at, parseName), span: at.closeSpan(start) };
    case "login":
      at.step();
      return { kind, proof: at.takeName(), span: at.closeSpan(start) };
    case "requires":
      at.step();
      at.take("task");
      return { kind, span: at.closeSpan(start) };
    case "starts":
      at.step();
      return { kind, label: parseLabel(at), span: at.closeSpan(start) };
    case "models":
      return parseModels(at);
    case "clearance":
      return parseClearance(at);
    case "widen":
      return widen(at);
    default:
      return parseNarrowing(at);
  }
}

function parseModels(at: Cursor): ModelsNode {
  const start = at.start();
  at.take("models");
  return { kind: "models", choices: parseBlock(at, parseModelChoice), span: at.closeSpan(start) };
}

function parseModelChoice(at: Cursor): ModelsNode["choices"][number] {
  const start = at.start();
  const granted = parseMode(at);
  const backend = at.takeName();
  return { mode: granted, backend, span: at.closeSpan(start) };
}

export function parseClearance(at: Cursor): ClearanceNode {
  const start = at.start();
  at.take("clearance");
  return { kind: "clearance", label: parseLabel(at), span: at.closeSpan(start) };
}

function widen(at: Cursor): WidenNode {
  const start = at.start();
  at.take("widen");
  const changes = parseBlock(at, parseWidening);
  const reason = parseBecause(at);
  const until = at.tryTake("until") ? at.takeWords() : undefined;
  return { kind: "widen", changes, because: reason, until, span: at.closeSpan(start) };
}

function parseWidening(at: Cursor): WidenNode["changes"][number] {
  if (at.kind === "models") return parseModels(at);
  if (at.kind === "clearance") return parseClearance(at);
  return at.kind === "quota" ? parseQuota(at) : parseWidenLine(at);
}

function parseWidenLine(at: Cursor): WidenLine {
  const widened = parseLine(at);
  return { kind: "line", line: widened, span: widened.span };
}

export function parseTask(at: Cursor): TaskNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("task");
  const named = at.takeName();
  const parameters = at.kind === "(" ? parseTaskParameters(at) : NO_PARAMETERS;
  at.take("in");
  const session = parseReference(at);
  const attributes = parseBlock(at, parseTaskAttribute);
  const span = at.closeSpan(start);
  return { kind: "task", name: named, doc, parameters, session, attributes, damaged: false, span };
}

const NO_PARAMETERS: readonly TaskParameterNode[] = [];

function parseTaskParameters(at: Cursor): TaskParameterNode[] {
  at.take("(");
  const parameters = parseList(at, parseTaskParameter);
  at.take(")");
  return parameters;
}

function parseTaskParameter(at: Cursor): TaskParameterNode {
  const start = at.start();
  const named = at.takeName();
  at.take(":");
  const type = at.takeName();
  const currency = at.isName() ? at.takeName() : undefined;
  return { name: named, type, currency, span: at.closeSpan(start) };
}

function parseTaskAttribute(at: Cursor): TaskAttribute {
  if (at.kind === "declassify" || at.kind === "endorse") return parseRelease(at);
  return at.kind === "phase" ? parsePhase(at) : parseDocumentedNarrowing(at);
}

function parsePhase(at: Cursor): PhaseNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("phase");
  const named = at.takeName();
  const after = at.tryTake("after") ? parseGate(at) : undefined;
  const attributes = parseBlock(at, parseDocumentedNarrowing);
  return { kind: "phase", name: named, doc, after, attributes, damaged: false, span: at.closeSpan(start) };
}

export function parseWorker(at: Cursor): WorkerNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("worker");
  const named = at.takeName();
  at.take("in");
  const owner = parseReference(at);
  const attributes = parseBlock(at, parseDocumentedNarrowing);
  return { kind: "worker", name: named, doc, session: owner, attributes, damaged: false, span: at.closeSpan(start) };
}
