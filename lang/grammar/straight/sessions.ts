import type {
  ClearanceNode,
  ModelsNode,
  Narrowing,
  PhaseNode,
  SessionAttribute,
  SessionNode,
  TaskNode,
  WidenLine,
  WidenNode,
  WorkerNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { line } from "./lines.ts";
import { because, block, gate, label, listed, mode, name, reference } from "./names.ts";
import { documentedNarrowing, narrowing, quota } from "./narrowing.ts";

// Sessions, and the tasks and workers in them.

export function session(at: Cursor): SessionNode {
  const start = at.start();
  const doc = at.doc();
  const abstract = at.takes("abstract");
  at.take("session");
  const named = at.name();
  const base = baseOf(at);
  const attributes = block(at, sessionAttribute);
  return { kind: "session", name: named, doc, abstract, base, attributes, damaged: false, span: at.since(start) };
}

function baseOf(at: Cursor): SessionNode["base"] {
  const { kind } = at;
  if (kind !== "extends" && kind !== "from") return undefined;
  at.step();
  return { relation: kind, name: reference(at) };
}

function sessionAttribute(at: Cursor): SessionAttribute {
  const start = at.start();
  at.doc();
  const { kind } = at;
  switch (kind) {
    case "kind":
      at.step();
      return { kind, name: at.name(), span: at.since(start) };
    case "principals":
      at.step();
      return { kind, names: listed(at, name), span: at.since(start) };
    case "login":
      at.step();
      return { kind, proof: at.name(), span: at.since(start) };
    case "starts":
      at.step();
      return { kind, label: label(at), span: at.since(start) };
    case "models":
      return models(at);
    case "clearance":
      return clearance(at);
    case "widen":
      return widen(at);
    default:
      return narrowing(at);
  }
}

function models(at: Cursor): ModelsNode {
  const start = at.start();
  at.take("models");
  return { kind: "models", choices: block(at, modelChoice), span: at.since(start) };
}

function modelChoice(at: Cursor): ModelsNode["choices"][number] {
  const start = at.start();
  const granted = mode(at);
  const backend = at.name();
  return { mode: granted, backend, span: at.since(start) };
}

export function clearance(at: Cursor): ClearanceNode {
  const start = at.start();
  at.take("clearance");
  return { kind: "clearance", label: label(at), span: at.since(start) };
}

function widen(at: Cursor): WidenNode {
  const start = at.start();
  at.take("widen");
  const changes = block(at, widening);
  const reason = because(at);
  const until = at.takes("until") ? at.words() : undefined;
  return { kind: "widen", changes, because: reason, until, span: at.since(start) };
}

function widening(at: Cursor): WidenNode["changes"][number] {
  if (at.kind === "models") return models(at);
  if (at.kind === "clearance") return clearance(at);
  return at.kind === "quota" ? quota(at) : widenLine(at);
}

function widenLine(at: Cursor): WidenLine {
  const widened = line(at);
  return { kind: "line", line: widened, span: widened.span };
}

export function task(at: Cursor): TaskNode {
  const start = at.start();
  const doc = at.doc();
  at.take("task");
  const named = at.name();
  at.take("in");
  const owner = reference(at);
  const attributes = block(at, taskAttribute);
  return { kind: "task", name: named, doc, session: owner, attributes, damaged: false, span: at.since(start) };
}

function taskAttribute(at: Cursor): Narrowing | PhaseNode {
  return at.kind === "phase" ? phase(at) : documentedNarrowing(at);
}

function phase(at: Cursor): PhaseNode {
  const start = at.start();
  const doc = at.doc();
  at.take("phase");
  const named = at.name();
  const after = at.takes("after") ? gate(at) : undefined;
  const attributes = block(at, documentedNarrowing);
  return { kind: "phase", name: named, doc, after, attributes, damaged: false, span: at.since(start) };
}

export function worker(at: Cursor): WorkerNode {
  const start = at.start();
  const doc = at.doc();
  at.take("worker");
  const named = at.name();
  at.take("in");
  const owner = reference(at);
  const attributes = block(at, documentedNarrowing);
  return { kind: "worker", name: named, doc, session: owner, attributes, damaged: false, span: at.since(start) };
}
