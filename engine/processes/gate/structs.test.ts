import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { encodeStructArguments } from "../../lib/arguments/index.ts";
import type { JsonRecord } from "../../lib/policy/index.ts";
import { always, check, row, tool, where } from "../../lib/policy/testing/sample.ts";
import type { AuditEntry, CallRecord } from "../../lib/wire/generated/audit.ts";
import type { Layout } from "../../lib/wire/generated/policy.ts";
import { ToolProxy } from "../../lib/wire/generated/wire.ts";
import { connect } from "../../lib/wire/index.ts";
import { serveGate } from "./serve.ts";
import { Stage } from "./testing/stage.ts";

const never = new AbortController().signal;
const LAYOUT: Layout = { dataWords: 0, pointers: 1, places: [{ offset: 0, standard: 0n, which: "text" }] };
const WRITE = tool("notes.write", { layout: LAYOUT });
const LISTED = tool("notes.listed");
const CONSENT = { decisions: [{ clauses: [where([check("path", "equal", "a")], "consent", "auto")], floors: [] }] };

/** Returns a gate with three tools: one accepts arguments as a Cap'n Proto message, one does not, and one is hidden. */
function set(): Stage {
  return new Stage({
    tables: {
      ...CONSENT,
      tools: [tool("notes.hidden", { layout: LAYOUT }), LISTED, WRITE],
      rows: [row("operator", [0, 2, 2])],
    },
    said: ["granted"],
  });
}

function encodeMessage(record: JsonRecord): Uint8Array {
  const message = encodeStructArguments(WRITE, record);
  if (!message.ok) throw new Error(message.reason);
  return message.value;
}

async function begin(stage: Stage, name = "notes.write", args = "") {
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  return { conversation: "main", turn, snapshot, call: { id: "1", name, arguments: args } };
}

function listCalls(entries: readonly AuditEntry[]): readonly CallRecord[] {
  return entries.flatMap((entry) => {
    if (entry.which === "intent") return [entry.intent];
    return entry.which === "outcome" ? [entry.outcome] : [];
  });
}

test("arguments in a Cap'n Proto message lead to the same question and the same sent call as JSON; only the record states the form", async () => {
  const [spoken, struct] = [set(), set()];
  const text = await spoken.gate.loopCalls.invoke(await begin(spoken, "notes.write", '{"path":"a"}'), never);
  const proposed = await begin(struct);
  const result = await struct.gate.loopCalls.invokeStruct(
    { ...proposed, message: encodeMessage({ path: "a" }) },
    never,
  );
  expect(result).toEqual(text);
  expect(result.outcome).toBe("ok");
  expect([struct.questions, struct.sent, struct.steps]).toEqual([spoken.questions, spoken.sent, spoken.steps]);
  expect(struct.sent).toEqual(['{"path":"a"}']);
  const [told, other] = [listCalls(spoken.entries), listCalls(struct.entries)];
  expect(told.map(({ form }) => form)).toEqual(["json", "json"]);
  expect(other).toEqual(told.map((record, index) => ({ ...record, form: "capnp", nonce: other[index]?.nonce })));
});

test.each<[string, string, string, Uint8Array, string, string]>([
  [
    "is given beside JSON",
    "notes.write",
    '{"path":"a"}',
    encodeMessage({ path: "b" }),
    "invalidArguments",
    "the arguments are given twice, as JSON and as a message",
  ],
  [
    "is not one",
    "notes.write",
    "",
    Buffer.from("seven b"),
    "invalidArguments",
    "the arguments are not an acceptable message: 7 bytes are not a number of words",
  ],
  [
    "is for a tool without a layout",
    "notes.listed",
    "",
    encodeMessage({ path: "b" }),
    "invalidArguments",
    "this tool takes its arguments as JSON: no Cap'n Proto layout of its parameters is known",
  ],
  [
    "is for a hidden tool",
    "notes.hidden",
    "",
    Buffer.from("seven b"),
    "unknownTool",
    "no such tool is offered in this session",
  ],
  [
    "is for no tool",
    "notes.other",
    "",
    encodeMessage({ path: "b" }),
    "unknownTool",
    "no such tool is offered in this session",
  ],
])("a message that %s is not sent, and its refusal is recorded", async (_, name, args, message, outcome, error) => {
  const stage = set();
  const proposed = await begin(stage, name, args);
  expect(await stage.gate.loopCalls.invokeStruct({ ...proposed, message }, never)).toMatchObject({ outcome, error });
  expect(stage.sent).toEqual([]);
  const bytes = Buffer.from(message).toString("base64");
  expect(listCalls(stage.entries)).toMatchObject([{ outcome, error, form: "capnp", arguments: `${args}${bytes}` }]);
});

test("arguments in a message count towards a turn's limits like JSON, and are not parsed after the end of the turn", async () => {
  const stage = set();
  const proposed = await begin(stage);
  const message = new Uint8Array(8);
  const outcomes: string[] = [];
  for (let count = 0; count < 130; count += 1)
    outcomes.push((await stage.gate.loopCalls.invokeStruct({ ...proposed, message }, never)).outcome);
  expect(outcomes.filter((outcome) => outcome === "refusedByPolicy")).toHaveLength(2);
});

test("a client can send arguments as a Cap'n Proto message over its connection; a call with an invalid id fails as malformed", async () => {
  const stage = new Stage({ tables: { tools: [WRITE], decisions: [{ clauses: [always("auto")], floors: [] }] } });
  const [mine, theirs] = duplexPair();
  serveGate(theirs, ToolProxy.id, { gate: stage.gate, held: new Map(), supervisor: stage.audit });
  const client = connect(mine);
  const proposed = { ...(await begin(stage)), message: encodeMessage({ path: "b" }) };
  expect(await client.call(ToolProxy.methods.invokeStruct, proposed)).toMatchObject({
    value: { result: { outcome: "ok" } },
  });
  expect(stage.sent).toEqual(['{"path":"b"}']);
  const odd = { ...proposed, call: { ...proposed.call, id: "a b" } };
  expect(await client.call(ToolProxy.methods.invokeStruct, odd)).toMatchObject({ code: "malformed" });
});
