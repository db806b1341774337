import { bug } from "../../diagnostics/index.ts";
import { joinSpans } from "../../text/index.ts";
import type { LabelNode, Mode, ModeNode, Name, Quantity, Reference, Words } from "../../tree/index.ts";
import type { Kind } from "../vocabulary.ts";
import type { Cursor } from "./cursor.ts";

// Parses names, amounts, labels and modes.

export function joinParts(parts: readonly Name[]): Reference {
  const first = parts[0] ?? bug("a reference without parts");
  const last = parts[parts.length - 1] ?? first;
  if (last === first) return { parts, text: first.text, span: first.span };
  return { parts, text: renderDotted(parts, first, last), span: joinSpans(first.span, last.span) };
}

/** Returns the dotted name. If only dots separate the parts, the name is a slice of the source, which needs no new string. */
function renderDotted(parts: readonly Name[], first: Name, last: Name): string {
  let length = parts.length - 1;
  for (const part of parts) length += part.text.length;
  const { source, start } = first.span;
  const isWritten = last.span.end - start === length;
  return isWritten ? source.text.slice(start, last.span.end) : parts.map((part) => part.text).join(".");
}

export function parseReference(at: Cursor): Reference {
  return parseReferenceFrom(at, at.takeName());
}

/** Parses a reference whose first part was already taken. */
export function parseReferenceFrom(at: Cursor, first: Name): Reference {
  return joinParts(at.kind === "." ? [first, ...parseMembers(at)] : [first]);
}

function parseMembers(at: Cursor): Name[] {
  const parts: Name[] = [];
  while (at.tryTake(".")) parts.push(at.takeMember());
  return parts;
}

/** Parses `name.member`, which has exactly two parts. */
export function parseToolReference(at: Cursor): Reference {
  const owner = at.takeName();
  at.take(".");
  return joinParts([owner, at.takeMember()]);
}

// An array to which elements were pushed reserves space for further elements. Trees contain millions of arrays, most of them short, so each
// array is copied to its exact size. The garbage collector frees the short-lived original at no cost, but would move and mark the reserved
// space again and again.

/** Parses one or more elements, with a comma or another sign between them. */
export function parseList<T>(at: Cursor, element: (at: Cursor) => T, separator: Kind = ","): T[] {
  const first = element(at);
  if (at.kind !== separator) return [first];
  const elements = [first];
  while (at.tryTake(separator)) elements.push(element(at));
  return elements.slice();
}

/** Parses elements between braces. */
export function parseBlock<T>(at: Cursor, element: (at: Cursor) => T): T[] {
  const elements: T[] = [];
  at.take("{");
  while (!at.tryTake("}")) elements.push(element(at));
  return elements.slice();
}

export function parseName(at: Cursor): Name {
  return at.takeName();
}

export function parseWords(at: Cursor): Words {
  return at.takeWords();
}

export function parseQuantity(at: Cursor): Quantity {
  const start = at.start();
  const amount = at.takeNumeral();
  const unit = at.takeName();
  return { amount, unit, span: at.closeSpan(start) };
}

export function parseBoolean(at: Cursor): boolean {
  if (at.tryTake("true")) return true;
  at.take("false");
  return false;
}

export function parseLabel(at: Cursor): LabelNode {
  const start = at.start();
  const level = at.takeName();
  const compartments = at.tryTake(":") ? parseLabelCompartments(at) : NO_NAMES;
  const integrity = at.tryTake("/") ? at.takeName() : undefined;
  // If two nodes have the same span, they share one span object, because spans take half of a tree's memory.
  const alone = compartments === NO_NAMES && integrity === undefined;
  return { level, compartments, integrity, span: alone ? level.span : at.closeSpan(start) };
}

const NO_NAMES: readonly Name[] = [];

function parseLabelCompartments(at: Cursor): Name[] {
  at.take("{");
  const names = parseList(at, parseName);
  at.take("}");
  return names;
}

export function parseLabelRange(at: Cursor): { low: LabelNode; high: LabelNode } {
  const low = parseLabel(at);
  return { low, high: at.tryTake("..") ? parseLabel(at) : low };
}

export function isMode(kind: Kind): kind is Mode {
  return kind === "auto" || kind === "consent" || kind === "stepUp" || kind === "forbidden";
}

export function parseMode(at: Cursor): ModeNode {
  const { kind } = at;
  if (!isMode(kind)) return at.refuse();
  const start = at.start();
  at.step();
  return { mode: kind, span: at.closeSpan(start) };
}

export function parseGate(at: Cursor): ModeNode {
  return at.kind === "consent" || at.kind === "stepUp" ? parseMode(at) : at.refuse();
}

export function parseBecause(at: Cursor): Words {
  at.take("because");
  return at.takeWords();
}

/** `for SESSION` */
export function parseSubject(at: Cursor): Reference | undefined {
  return at.tryTake("for") ? parseReference(at) : undefined;
}
