// Defines how YAML and JSON represent statements about a whole system: releases, assertions, and tests of
// conversations.

import type {
  AssertNode,
  Claim,
  GivenNode,
  IngressNode,
  Json,
  RedactionNode,
  RedactionPart,
  RehearsalNode,
  ReleaseNode,
  Step,
  WaiveNode,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { flag, listOf, named, oneOf, optional, type Shape, truth } from "../shape.ts";
import { literal, pattern } from "./lines.ts";
import { doc, label, mode, name, numeral, reference, text, words } from "./names.ts";
import { quotaEntry } from "./narrowing.ts";

export const ingress: Shape<IngressNode> = record({
  kind: oneOf("ingress"),
  name,
  doc,
  source: name,
  address: optional(words),
  zone: optional(words),
  missed: optional(name),
  into: reference,
  label,
  says: optional(words),
});

const redactedFields: Shape<Extract<RedactionPart, { fields: unknown }>> = record({
  kind: oneOf("from", "arg"),
  fields: listOf(reference),
});

const redactionPart: Shape<RedactionPart> = either<RedactionPart, "kind">("kind", {
  matches: record({ kind: oneOf("matches"), patterns: listOf(words) }),
  from: redactedFields,
  arg: redactedFields,
});

export const redaction: Shape<RedactionNode> = record({
  kind: oneOf("redaction"),
  name,
  doc,
  label,
  parts: listOf(redactionPart),
});

export const release: Shape<ReleaseNode> = record({
  kind: oneOf("release"),
  act: oneOf("declassify", "endorse"),
  tool: reference,
  from: label,
  to: label,
  by: mode,
  session: optional(reference),
  because: words,
});

export const waive: Shape<WaiveNode> = record({
  kind: oneOf("waive"),
  assertion: name,
  session: optional(reference),
  because: words,
});

const claim: Shape<Claim> = either<Claim, "kind">("kind", {
  "never-flow": record({ kind: oneOf("never-flow"), label, to: reference }),
  "never-trifecta": record({ kind: oneOf("never-trifecta") }),
  "never-call": record({ kind: oneOf("never-call"), patterns: listOf(pattern), ungated: flag, directly: flag }),
  always: record({ kind: oneOf("always"), mode, patterns: listOf(pattern), directly: flag }),
  limit: record({ kind: oneOf("limit"), quota: quotaEntry }),
});

export const assertion: Shape<AssertNode> = record({
  kind: oneOf("assert"),
  claim,
  subject: optional(reference),
  withoutReleases: flag,
});

/** Arguments of a call in a test of the page. Numbers are exact decimals, and the order of fields is kept. */
export const json: Shape<Json> = either<Json, "kind">("kind", {
  text: record({ kind: oneOf("text"), value: words }),
  number: record({ kind: oneOf("number"), value: numeral }),
  boolean: record({ kind: oneOf("boolean"), value: truth }),
  null: record({ kind: oneOf("null") }),
  list: record({ kind: oneOf("list"), items: listOf(named("json", () => json)) }),
  record: record({
    kind: oneOf("record"),
    fields: listOf(record({ name: text, value: named("json", () => json) })),
  }),
});

const turn: Shape<Extract<Step, { kind: "enter" | "infer" }>> = record({
  kind: oneOf("enter", "infer"),
  name,
  answer: optional(name),
  expect: name,
});

const typed: Shape<Extract<Step, { kind: "say" | "paste" }>> = record({ kind: oneOf("say", "paste"), text: words });

const given: Shape<GivenNode> = record({ name, value: literal });

const step: Shape<Step> = either<Step, "kind">("kind", {
  as: record({ kind: oneOf("as"), who: reference, given: listOf(given), unattended: flag }),
  say: typed,
  paste: typed,
  enter: turn,
  infer: turn,
  call: record({
    kind: oneOf("call"),
    tool: reference,
    arguments: named("json", () => json),
    returning: optional(label),
    giving: optional(named("json", () => json)),
    answer: optional(name),
    expect: name,
  }),
});

export const rehearsal: Shape<RehearsalNode> = record({ kind: oneOf("test"), title: words, steps: listOf(step) });
