import { bug } from "../../diagnostics/index.ts";
import { across } from "../../text/index.ts";
import type { LabelNode, Mode, ModeNode, Name, Quantity, Reference, Words } from "../../tree/index.ts";
import type { Kind } from "../vocabulary.ts";
import type { Cursor } from "./cursor.ts";

// Names, amounts, labels and modes.

export function joined(parts: readonly Name[]): Reference {
  const first = parts[0] ?? bug("a reference without parts");
  const last = parts[parts.length - 1] ?? first;
  if (last === first) return { parts, text: first.text, span: first.span };
  return { parts, text: dotted(parts, first, last), span: across(first.span, last.span) };
}

/** Where nothing stands between the parts but dots, it is what the source says. */
function dotted(parts: readonly Name[], first: Name, last: Name): string {
  let length = parts.length - 1;
  for (const part of parts) length += part.text.length;
  const { source, start } = first.span;
  const isWritten = last.span.end - start === length;
  return isWritten ? source.text.slice(start, last.span.end) : parts.map((part) => part.text).join(".");
}

export function reference(at: Cursor): Reference {
  return referenceFrom(at, at.name());
}

/** A reference of which the first part was taken already. */
export function referenceFrom(at: Cursor, first: Name): Reference {
  return joined(at.kind === "." ? [first, ...members(at)] : [first]);
}

function members(at: Cursor): Name[] {
  const parts: Name[] = [];
  while (at.takes(".")) parts.push(at.member());
  return parts;
}

/** `name.member`: exactly two parts. */
export function tool(at: Cursor): Reference {
  const owner = at.name();
  at.take(".");
  return joined([owner, at.member()]);
}

// An array that was pushed to keeps room for sixteen more. Trees hold millions of arrays, most of them short, so that
// each is copied to its size: what is thrown away young costs nothing, what stays is moved and marked again and again.

/** One or more, with a comma or another sign between them. */
export function listed<T>(at: Cursor, element: (at: Cursor) => T, separator: Kind = ","): T[] {
  const first = element(at);
  if (at.kind !== separator) return [first];
  const elements = [first];
  while (at.takes(separator)) elements.push(element(at));
  return elements.slice();
}

/** Elements between braces. */
export function block<T>(at: Cursor, element: (at: Cursor) => T): T[] {
  const elements: T[] = [];
  at.take("{");
  while (!at.takes("}")) elements.push(element(at));
  return elements.slice();
}

export function name(at: Cursor): Name {
  return at.name();
}

export function words(at: Cursor): Words {
  return at.words();
}

export function quantity(at: Cursor): Quantity {
  const start = at.start();
  const amount = at.numeral();
  const unit = at.name();
  return { amount, unit, span: at.since(start) };
}

export function truth(at: Cursor): boolean {
  if (at.takes("true")) return true;
  at.take("false");
  return false;
}

export function label(at: Cursor): LabelNode {
  const start = at.start();
  const level = at.name();
  const compartments = at.takes(":") ? compartmentsOf(at) : NO_NAMES;
  const integrity = at.takes("/") ? at.name() : undefined;
  // A place is shared where two nodes have the same: half of what a tree takes is places.
  const alone = compartments === NO_NAMES && integrity === undefined;
  return { level, compartments, integrity, span: alone ? level.span : at.since(start) };
}

const NO_NAMES: readonly Name[] = [];

function compartmentsOf(at: Cursor): Name[] {
  at.take("{");
  const names = listed(at, name);
  at.take("}");
  return names;
}

export function labelRange(at: Cursor): { low: LabelNode; high: LabelNode } {
  const low = label(at);
  return { low, high: at.takes("..") ? label(at) : low };
}

export function isMode(kind: Kind): kind is Mode {
  return kind === "auto" || kind === "consent" || kind === "stepUp" || kind === "forbidden";
}

export function mode(at: Cursor): ModeNode {
  const { kind } = at;
  if (!isMode(kind)) return at.refuse();
  const start = at.start();
  at.step();
  return { mode: kind, span: at.since(start) };
}

export function gate(at: Cursor): ModeNode {
  return at.kind === "consent" || at.kind === "stepUp" ? mode(at) : at.refuse();
}

export function because(at: Cursor): Words {
  at.take("because");
  return at.words();
}

/** `for SESSION` */
export function subject(at: Cursor): Reference | undefined {
  return at.takes("for") ? reference(at) : undefined;
}
