import type {
  ArgumentMeaning,
  CategoryNode,
  CompartmentsNode,
  Fact,
  InterfaceNode,
  LevelsNode,
  MethodNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { block, label, labelRange, listed, name, quantity, reference, words } from "./names.ts";

// The lattices, categories, and facts about the methods of interfaces.

export function levels(at: Cursor): LevelsNode {
  const start = at.start();
  at.doc();
  const { kind: lattice } = at;
  if (lattice !== "confidentiality" && lattice !== "integrity") return at.refuse();
  at.step();
  at.take("{");
  const ordered = listed(at, name, "<");
  at.take("}");
  return { kind: "levels", lattice, levels: ordered, span: at.since(start) };
}

export function compartments(at: Cursor): CompartmentsNode {
  const start = at.start();
  at.doc();
  at.take("compartments");
  at.take("{");
  const names = listed(at, name);
  at.take("}");
  return { kind: "compartments", names, span: at.since(start) };
}

export function category(at: Cursor): CategoryNode {
  const start = at.start();
  const doc = at.doc();
  at.take("category");
  const named = at.name();
  const parent = at.takes(":") ? at.name() : undefined;
  return { kind: "category", name: named, doc, parent, damaged: false, span: at.since(start) };
}

export function interfaceOf(at: Cursor): InterfaceNode {
  const start = at.start();
  const doc = at.doc();
  at.take("interface");
  const written = reference(at);
  const methods = block(at, method);
  const named = { text: written.text, span: written.span };
  return { kind: "interface", name: named, reference: written, doc, methods, damaged: false, span: at.since(start) };
}

function method(at: Cursor): MethodNode {
  const start = at.start();
  const doc = at.doc();
  at.take("method");
  const named = at.member();
  at.take(":");
  const belongs = at.name();
  const facts: Fact[] = [];
  for (let next = fact(at); next !== undefined; next = fact(at)) facts.push(next);
  return { kind: "method", name: named, doc, category: belongs, facts, damaged: false, span: at.since(start) };
}

/** Nothing where the method's facts end. */
function fact(at: Cursor): Fact | undefined {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "arg":
      return argument(at);
    case "returns":
      at.step();
      return { kind, ...labelRange(at), span: at.since(start) };
    case "sends":
      at.step();
      return { kind, label: label(at), span: at.since(start) };
    case "redact":
      at.step();
      return { kind, fields: listed(at, words), span: at.since(start) };
    case "truncate":
      at.step();
      return { kind, size: quantity(at), span: at.since(start) };
    default:
      return undefined;
  }
}

function argument(at: Cursor): Fact {
  const start = at.start();
  at.take("arg");
  const meant = reference(at);
  at.take("is");
  return { kind: "argument", argument: meant, meaning: meaning(at), span: at.since(start) };
}

function meaning(at: Cursor): ArgumentMeaning {
  const { kind } = at;
  switch (kind) {
    case "path":
    case "url":
    case "text":
    case "program":
      at.step();
      return { kind };
    case "money":
      at.step();
      return { kind, currency: at.name() };
    default:
      return at.refuse();
  }
}
