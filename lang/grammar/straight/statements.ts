import type { Span } from "../../text/index.ts";
import type {
  AssertNode,
  AuditLine,
  AuditNode,
  Claim,
  IngressNode,
  LetNode,
  RedactionNode,
  RedactionPart,
  ReleaseNode,
  Setting,
  SettingsNode,
  SettingValue,
  WaiveNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { parseLiterals, parseModeAndPatterns, parsePatterns } from "./lines.ts";
import {
  parseBecause,
  parseBlock,
  parseGate,
  parseLabel,
  parseList,
  parseQuantity,
  parseReference,
  parseSubject,
  parseToolReference,
  parseWords,
} from "./names.ts";
import { parseQuotaEntry } from "./narrowing.ts";

// Parses declarations about flows, assertions, and the settings of the machine.

export function parseIngress(at: Cursor): IngressNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("ingress");
  const name = at.takeName();
  at.take(":");
  const source = at.takeName();
  const address = at.kind === "String" ? at.takeWords() : undefined;
  const zone = at.tryTake("in") ? at.takeWords() : undefined;
  const missed = at.tryTake("missed") ? at.takeName() : undefined;
  const says = at.tryTake("says") ? at.takeWords() : undefined;
  at.take("into");
  const into = parseReference(at);
  at.take("label");
  const label = parseLabel(at);
  const span = at.closeSpan(start);
  return { kind: "ingress", name, doc, source, address, zone, missed, into, label, says, damaged: false, span };
}

export function parseLet(at: Cursor): LetNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("let");
  const name = at.takeName();
  at.take("=");
  const literals = parseLiterals(at);
  return { kind: "let", name, doc, literals, damaged: false, span: at.closeSpan(start) };
}

export function parseRedaction(at: Cursor): RedactionNode {
  const start = at.start();
  const doc = at.takeDoc();
  at.take("redact");
  const name = at.takeName();
  at.take("label");
  const label = parseLabel(at);
  const parts = parseBlock(at, parseRedactionPart);
  return { kind: "redaction", name, doc, label, parts, damaged: false, span: at.closeSpan(start) };
}

function parseRedactionPart(at: Cursor): RedactionPart {
  const start = at.start();
  const { kind } = at;
  if (kind !== "matches" && kind !== "from" && kind !== "arg") return at.refuse();
  at.step();
  if (kind === "matches") return { kind, patterns: parseList(at, parseWords), span: at.closeSpan(start) };
  return { kind, fields: parseList(at, parseReference), span: at.closeSpan(start) };
}

export function parseRelease(at: Cursor): ReleaseNode {
  const start = at.start();
  at.takeDoc();
  const { kind: act } = at;
  if (act !== "declassify" && act !== "endorse") return at.refuse();
  at.step();
  const called = parseToolReference(at);
  at.take("from");
  const from = parseLabel(at);
  at.take("to");
  const to = parseLabel(at);
  at.take("by");
  const by = parseGate(at);
  const session = parseSubject(at);
  const reason = parseBecause(at);
  return { kind: "release", act, tool: called, from, to, by, session, because: reason, span: at.closeSpan(start) };
}

export function parseWaive(at: Cursor): WaiveNode {
  const start = at.start();
  at.takeDoc();
  at.take("waive");
  const assertion = at.takeName();
  const session = parseSubject(at);
  return { kind: "waive", assertion, session, because: parseBecause(at), span: at.closeSpan(start) };
}

export function parseAssertion(at: Cursor): AssertNode {
  const start = at.start();
  at.takeDoc();
  at.take("assert");
  const claim = parseClaim(at);
  const about = parseSubject(at);
  const withoutReleases = at.tryTake("without");
  if (withoutReleases) at.take("releases");
  return { kind: "assert", claim, subject: about, withoutReleases, span: at.closeSpan(start) };
}

function parseClaim(at: Cursor): Claim {
  if (at.tryTake("always")) return { kind: "always", ...parseModeAndPatterns(at), directly: at.tryTake("directly") };
  if (at.tryTake("limit")) return { kind: "limit", quota: parseQuotaEntry(at) };
  at.take("never");
  if (at.tryTake("trifecta")) return { kind: "never-trifecta" };
  if (at.tryTake("call")) {
    const patterns = parsePatterns(at);
    const ungated = at.tryTake("ungated");
    return { kind: "never-call", patterns, ungated, directly: at.tryTake("directly") };
  }
  at.take("flow");
  const flowing = parseLabel(at);
  at.take("to");
  return { kind: "never-flow", label: flowing, to: parseReference(at) };
}

export function parseAudit(at: Cursor): AuditNode {
  const start = at.start();
  at.takeDoc();
  at.take("audit");
  return { kind: "audit", lines: parseBlock(at, parseAuditLine), damaged: false, span: at.closeSpan(start) };
}

function parseAuditLine(at: Cursor): AuditLine {
  const start = at.start();
  if (at.tryTake("keep")) {
    at.take("until");
    const { kind } = at;
    if (kind !== "exported" && kind !== "shipped") return at.refuse();
    at.step();
    return { kind: "keep", until: kind, span: at.closeSpan(start) };
  }
  at.take("digests");
  at.take("above");
  const above = parseLabel(at);
  return { kind: "digests", above, span: at.closeSpan(start) };
}

export function parseSettings(at: Cursor): SettingsNode {
  const start = at.start();
  at.takeDoc();
  const { kind } = at;
  if (kind !== "storage" && kind !== "network" && kind !== "image") return at.refuse();
  at.step();
  return { kind, settings: parseBlock(at, parseSetting), damaged: false, span: at.closeSpan(start) };
}

function parseSetting(at: Cursor): Setting {
  const start = at.start();
  const name = at.takeName();
  const values = parseList(at, parseSettingValue);
  return { name, values, span: at.closeSpan(start) };
}

function parseSettingValue(at: Cursor): SettingValue {
  if (at.kind === "String") return makePlaced("text", at.takeWords());
  return at.kind === "Number" ? makePlaced("quantity", parseQuantity(at)) : makePlaced("name", at.takeName());
}

/** Returns a node with the given kind and value, and with the span of the value. */
function makePlaced<K extends string, V extends { readonly span: Span }>(
  kind: K,
  value: V,
): { kind: K; value: V; span: Span } {
  return { kind, value, span: value.span };
}
