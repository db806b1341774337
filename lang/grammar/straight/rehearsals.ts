import type { GivenNode, Json, JsonField, LabelNode, Name, RehearsalNode, Step } from "../../tree/index.ts";
import type { Cursor } from "./cursor.ts";
import { parseLiteral } from "./lines.ts";
import {
  isMode,
  parseBlock,
  parseBoolean,
  parseLabel,
  parseList,
  parseMode,
  parseReference,
  parseToolReference,
} from "./names.ts";

// Parses `test "…" { … }`: conversations that are tested against the tables.

export function parseRehearsal(at: Cursor): RehearsalNode {
  const start = at.start();
  at.takeDoc();
  at.take("test");
  const title = at.takeWords();
  return { kind: "test", title, steps: parseBlock(at, parseStep), span: at.closeSpan(start) };
}

function parseStep(at: Cursor): Step {
  const start = at.start();
  const { kind } = at;
  switch (kind) {
    case "as": {
      at.step();
      const who = parseReference(at);
      const given = at.kind === "(" ? parseGivenList(at) : NO_GIVEN;
      return { kind, who, given, unattended: at.tryTake("unattended"), span: at.closeSpan(start) };
    }
    case "say":
    case "paste":
      at.step();
      return { kind, text: at.takeWords(), span: at.closeSpan(start) };
    case "enter":
    case "infer": {
      at.step();
      const name = at.takeName();
      return { kind, name, ...parseOutcome(at), span: at.closeSpan(start) };
    }
    case "call": {
      at.step();
      const called = parseToolReference(at);
      const given = parseRecord(at);
      const returning: LabelNode | undefined = at.tryTake("returning") ? parseLabel(at) : undefined;
      const giving = at.tryTake("giving") ? parseJson(at) : undefined;
      return {
        kind,
        tool: called,
        arguments: given,
        returning,
        giving,
        ...parseOutcome(at),
        span: at.closeSpan(start),
      };
    }
    default:
      return at.refuse();
  }
}

const NO_GIVEN: readonly GivenNode[] = [];

function parseGivenList(at: Cursor): GivenNode[] {
  at.take("(");
  const given = parseList(at, parseGiven);
  at.take(")");
  return given;
}

function parseGiven(at: Cursor): GivenNode {
  const start = at.start();
  const name = at.takeName();
  at.take(":");
  return { name, value: parseLiteral(at), span: at.closeSpan(start) };
}

function parseOutcome(at: Cursor): { answer: Name | undefined; expect: Name } {
  const answer = at.tryTake("answer") ? at.takeName() : undefined;
  at.take("expect");
  if (!isMode(at.kind)) return { answer, expect: at.takeName() };
  const { mode: text, span } = parseMode(at);
  return { answer, expect: { text, span } };
}

function parseJson(at: Cursor): Json {
  if (at.kind === "String") return { kind: "text", value: at.takeWords() };
  if (at.kind === "Number") return { kind: "number", value: at.takeNumeral() };
  if (at.kind === "{") return parseRecord(at);
  if (at.kind === "[") return parseJsonList(at);
  return at.tryTake("null") ? { kind: "null" } : { kind: "boolean", value: parseBoolean(at) };
}

function parseRecord(at: Cursor): Json {
  at.take("{");
  const fields = at.kind === "}" ? [] : parseList(at, parseField);
  at.take("}");
  return { kind: "record", fields };
}

function parseField(at: Cursor): JsonField {
  const { text, span } = at.takeMember();
  at.take(":");
  return { name: text, value: parseJson(at), span };
}

function parseJsonList(at: Cursor): Json {
  at.take("[");
  const items = at.kind === "]" ? [] : parseList(at, parseJson);
  at.take("]");
  return { kind: "list", items };
}
