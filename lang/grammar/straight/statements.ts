import type { Span } from "../../text/index.ts";
import type {
  AssertNode,
  Claim,
  IngressNode,
  ReleaseNode,
  Setting,
  SettingsNode,
  SettingValue,
  WaiveNode,
} from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { modeAndPatterns, patterns } from "./lines.ts";
import { because, block, gate, label, listed, quantity, reference, subject, tool } from "./names.ts";
import { quotaEntry } from "./narrowing.ts";

// What crosses the system's borders, what is claimed of all of it, and what it runs on.

export function ingress(at: Cursor): IngressNode {
  const start = at.start();
  const doc = at.doc();
  at.take("ingress");
  const name = at.name();
  at.take(":");
  const source = at.name();
  const address = at.kind === "String" ? at.words() : undefined;
  at.take("into");
  const into = reference(at);
  at.take("label");
  const labelled = label(at);
  const span = at.since(start);
  return { kind: "ingress", name, doc, source, address, into, label: labelled, damaged: false, span };
}

export function release(at: Cursor): ReleaseNode {
  const start = at.start();
  at.doc();
  const { kind: act } = at;
  if (act !== "declassify" && act !== "endorse") return at.refuse();
  at.step();
  const called = tool(at);
  at.take("from");
  const from = label(at);
  at.take("to");
  const to = label(at);
  at.take("by");
  const by = gate(at);
  const session = subject(at);
  const reason = because(at);
  return { kind: "release", act, tool: called, from, to, by, session, because: reason, span: at.since(start) };
}

export function waive(at: Cursor): WaiveNode {
  const start = at.start();
  at.doc();
  at.take("waive");
  const assertion = at.name();
  const session = subject(at);
  return { kind: "waive", assertion, session, because: because(at), span: at.since(start) };
}

export function assertion(at: Cursor): AssertNode {
  const start = at.start();
  at.doc();
  at.take("assert");
  const claim = claimOf(at);
  const about = subject(at);
  const withoutReleases = at.takes("without");
  if (withoutReleases) at.take("releases");
  return { kind: "assert", claim, subject: about, withoutReleases, span: at.since(start) };
}

function claimOf(at: Cursor): Claim {
  if (at.takes("always")) return { kind: "always", ...modeAndPatterns(at) };
  if (at.takes("limit")) return { kind: "limit", quota: quotaEntry(at) };
  at.take("never");
  if (at.takes("trifecta")) return { kind: "never-trifecta" };
  if (at.takes("call")) return { kind: "never-call", patterns: patterns(at), ungated: at.takes("ungated") };
  at.take("flow");
  const flowing = label(at);
  at.take("to");
  return { kind: "never-flow", label: flowing, to: reference(at) };
}

export function settings(at: Cursor): SettingsNode {
  const start = at.start();
  at.doc();
  const { kind } = at;
  if (kind !== "storage" && kind !== "network" && kind !== "image") return at.refuse();
  at.step();
  return { kind, settings: block(at, setting), damaged: false, span: at.since(start) };
}

function setting(at: Cursor): Setting {
  const start = at.start();
  const name = at.name();
  const values = listed(at, settingValue);
  return { name, values, span: at.since(start) };
}

function settingValue(at: Cursor): SettingValue {
  if (at.kind === "String") return placed("text", at.words());
  return at.kind === "Number" ? placed("quantity", quantity(at)) : placed("name", at.name());
}

/** The value's place is that of its only part. */
function placed<K extends string, V extends { readonly span: Span }>(
  kind: K,
  value: V,
): { kind: K; value: V; span: Span } {
  return { kind, value, span: value.span };
}
