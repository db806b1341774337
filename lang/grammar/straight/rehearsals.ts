import type { Json, LabelNode, Name, RehearsalNode, Step } from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { block, isMode, label, listed, mode, reference, tool, truth } from "./names.ts";

// `test "…" { … }`: conversations rehearsed against the tables.

export function rehearsal(at: Cursor): RehearsalNode {
  const start = at.start();
  at.doc();
  at.take("test");
  const title = at.words();
  return { kind: "test", title, steps: block(at, step), span: at.since(start) };
}

function step(at: Cursor): Step {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "as": {
      at.step();
      const who = reference(at);
      return { kind, who, unattended: at.takes("unattended"), span: at.since(start) };
    }
    case "enter":
    case "infer": {
      at.step();
      const name = at.name();
      return { kind, name, ...outcome(at), span: at.since(start) };
    }
    case "call": {
      at.step();
      const called = tool(at);
      const given = record(at);
      const returning: LabelNode | undefined = at.takes("returning") ? label(at) : undefined;
      return { kind, tool: called, arguments: given, returning, ...outcome(at), span: at.since(start) };
    }
    default:
      return at.refuse();
  }
}

function outcome(at: Cursor): { answer: Name | undefined; expect: Name } {
  const answer = at.takes("answer") ? at.name() : undefined;
  at.take("expect");
  if (!isMode(at.kind)) return { answer, expect: at.name() };
  const { mode: text, span } = mode(at);
  return { answer, expect: { text, span } };
}

function json(at: Cursor): Json {
  if (at.kind === "String") return { kind: "text", value: at.words() };
  if (at.kind === "Number") return { kind: "number", value: at.numeral() };
  if (at.kind === "{") return record(at);
  if (at.kind === "[") return list(at);
  return at.takes("null") ? { kind: "null" } : { kind: "boolean", value: truth(at) };
}

function record(at: Cursor): Json {
  at.take("{");
  const fields = at.kind === "}" ? [] : listed(at, field);
  at.take("}");
  return { kind: "record", fields };
}

function field(at: Cursor): { name: string; value: Json } {
  const { text } = at.member();
  at.take(":");
  return { name: text, value: json(at) };
}

function list(at: Cursor): Json {
  at.take("[");
  const items = at.kind === "]" ? [] : listed(at, json);
  at.take("]");
  return { kind: "list", items };
}
