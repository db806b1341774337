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
import {
  parseBlock,
  parseLabel,
  parseLabelRange,
  parseList,
  parseName,
  parseQuantity,
  parseReference,
  parseWords,
} from "./names.ts";

// Parses lattices, categories, and facts about the methods of interfaces.

export function parseLevels(at: Cursor): LevelsNode {
  const start = at.start();
  at.takeDoc();
  const { kind: lattice } = at;
  if (lattice !== "confidentiality" && lattice !== "integrity") return at.refuse();
  at.step();
  at.take("{");
  const ordered = parseList(at, parseName, "<");
  at.take("}");
  return { kind: "levels", lattice, levels: ordered, span: at.closeSpan(start) };
}

export function parseCompartments(at: Cursor): CompartmentsNode {
  const start = at.start();
  at.takeDoc();
  at.take("compartments");
  at.take("{");
  const names = parseList(at, parseName);
  at.take("}");
  return { kind: "compartments", names, span: at.closeSpan(start) };
}

export function parseCategory(at: Cursor): CategoryNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("category");
  const named = at.takeName();
  const parent = at.tryTake(":") ? at.takeName() : undefined;
  return { kind: "category", name: named, doc, parent, damaged: false, span: at.closeSpan(start) };
}

export function parseInterface(at: Cursor): InterfaceNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("interface");
  const written = parseReference(at);
  const methods = parseBlock(at, parseMethod);
  const named = { text: written.text, span: written.span };
  return {
    kind: "interface",
    name: named,
    reference: written,
    doc,
    methods,
    damaged: false,
    span: at.closeSpan(start),
  };
}

function parseMethod(at: Cursor): MethodNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("method");
  const named = at.takeMember();
  at.take(":");
  const belongs = at.takeName();
  const facts: Fact[] = [];
  for (let next = parseFact(at); next !== undefined; next = parseFact(at)) facts.push(next);
  return { kind: "method", name: named, doc, category: belongs, facts, damaged: false, span: at.closeSpan(start) };
}

/** Parses a fact of a method, or returns `undefined` at the end of its facts. */
function parseFact(at: Cursor): Fact | undefined {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "arg":
      return parseArgument(at);
    case "returns":
      at.step();
      return { kind, ...parseLabelRange(at), span: at.closeSpan(start) };
    case "sends":
      at.step();
      return { kind, label: parseLabel(at), span: at.closeSpan(start) };
    case "redact":
      at.step();
      return { kind, fields: parseList(at, parseWords), span: at.closeSpan(start) };
    case "truncate":
      at.step();
      return { kind, size: parseQuantity(at), span: at.closeSpan(start) };
    case "says":
      at.step();
      return { kind, words: parseWords(at), span: at.closeSpan(start) };
    default:
      return undefined;
  }
}

function parseArgument(at: Cursor): Fact {
  const start = at.start();
  at.take("arg");
  const meant = parseReference(at);
  at.take("is");
  return { kind: "argument", argument: meant, meaning: parseMeaning(at), span: at.closeSpan(start) };
}

function parseMeaning(at: Cursor): ArgumentMeaning {
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
      return { kind, currency: at.takeName() };
    default:
      return at.refuse();
  }
}
