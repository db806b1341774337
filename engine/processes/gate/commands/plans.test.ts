// Tests /llmsh: a person submits a plan through a tool of their session, and gets a line for each action's result.
import { expect, test } from "vitest";
import { always, row, tool } from "../../../lib/policy/testing/sample.ts";
import { ActionPlans } from "../../../lib/wire/generated/tools.ts";
import { never } from "../testing/calls.ts";
import { answering, type Serve, Stage } from "../testing/stage.ts";
import { answerCommand } from "./index.ts";

const text = { which: "text", text: { maxBytes: 1024 } } as const;
const SUBMIT = tool("plans.submit", {
  ...{ interfaceId: ActionPlans.id, method: ActionPlans.methods.submit.ordinal },
  params: [{ name: "plan", type: text, required: true }],
});

function session(serve: Serve) {
  const decisions = [{ clauses: [always("auto")], floors: [] }];
  const tables = { tools: [SUBMIT], decisions, rows: [row("operator", [2])] };
  const stage = new Stage({ tables, services: ["plans"], serve });
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  return { stage, say: (argument: string) => answerCommand(parts, "llmsh", argument, never) };
}

const telling = (answer: unknown) => answering(JSON.stringify({ answer: JSON.stringify(answer) }));

test("a plan's answer is one line for the request and one line for each action", async () => {
  const { stage, say } = session(telling({ ok: true, request_id: "r1", results: [{ ok: true }, { ok: false }] }));
  expect(await say("{}")).toEqual(['→ {"ok":true,"request_id":"r1"}', '→ {"ok":true}', '→ {"ok":false}']);
  expect(stage.sent).toEqual(['{"plan":"{}"}']);
  expect(stage.notices.at(-1)).toMatchObject({ tool: "plans.submit", outcome: "ok" });
  expect(await say("")).toEqual(["/llmsh needs a plan, or ping"]);
  expect(stage.sent).toHaveLength(1);
});

test("ping is a plan with one action", async () => {
  const { stage, say } = session(telling({ ok: true }));
  expect(await say("ping")).toEqual(['→ {"ok":true}']);
  expect(JSON.parse(JSON.parse(stage.sent[0] ?? "").plan)).toEqual({
    ...{ actions: [{ type: "ping" }], mode: "execute", request_id: "ping", version: "0.1" },
  });
});

test.each<readonly [string, Serve, string]>([
  ["was cut", answering('{"answer":"{\\"ok\\":tr"}'), 'ok: {"answer":"{\\"ok\\":tr"}'],
  ["is not a record", answering('{"answer":"[]"}'), 'ok: {"answer":"[]"}'],
  ["is not a text", answering('{"answer":1}'), 'ok: {"answer":1}'],
  ["is missing", answering("{}"), "ok: {}"],
  ["is a failure", async () => ({ ok: false, code: "failed", reason: "no plan" }), "executionError: no plan"],
])("an answer that %s is shown unchanged", async (_, serve, told) => {
  expect(await session(serve).say("{}")).toEqual([told]);
});

test("shows a plan's answer without its results if the results are not a list", async () => {
  expect(await session(telling({ ok: true, results: "none" })).say("{}")).toEqual(['→ {"ok":true}']);
});

test("reports a session without a tool for plans", async () => {
  const stage = new Stage();
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  expect(await answerCommand(parts, "llmsh", "ping", never)).toEqual(["this session has no tool for action plans"]);
});
