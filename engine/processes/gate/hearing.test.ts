// Tests that the gate withholds a result from the loop if the session's backend is not cleared for it, because the loop could pass the
// result to the model.
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tool } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { Label, PolicyTables } from "../../lib/wire/generated/policy.ts";
import { MODEL, Stage } from "./testing/stage.ts";

const never = new AbortController().signal;
const read = { id: "call-1", name: "notes.read", arguments: '{"path":"a"}' };

/** Returns a page on which reads return secret data, and the backend is cleared for public data. */
function page(clearance: Label): Partial<PolicyTables> {
  return {
    tools: [tool("notes.read", { readOnly: true, result: { low: PUBLIC, high: SECRET } })],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rows: [row("operator", [2], { backends: [{ backend: 0, mode: "auto" }] })],
    backends: [backend(MODEL.backend, { clearance })],
  };
}

const answering = async () => ({ ok: true, value: '{"content":"pay roll"}' }) as const;

async function proposed(clearance: Label) {
  const stage = new Stage({ tables: page(clearance), serve: answering });
  stage.gate.session.beginTurn();
  const { snapshot, turn } = await stage.described();
  return {
    stage,
    result: await stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: read }, never),
  };
}

test("withholds a result above the backend's clearance from the loop, which then gets no more tools", async () => {
  const { stage, result } = await proposed({ ...PUBLIC, integrity: 0 });
  expect(result).toMatchObject({ outcome: "refusedByPolicy", content: "" });
  expect(result.error).toBe(
    "it ran, and its result is not told: canned may not answer: this conversation has seen what may not flow to this backend",
  );
  expect(stage.sent).toHaveLength(1);
  expect(await stage.gate.offering.describe("main")).toEqual(
    refuse("canned may not answer: this conversation has seen what may not flow to this backend"),
  );
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toMatchObject({
    reason: expect.stringContaining("canned may not answer"),
  });
});

test("a backend with enough clearance gets the result", async () => {
  const { stage, result } = await proposed({ ...SECRET, integrity: 0 });
  expect(result).toMatchObject({ outcome: "ok", content: '{"content":"pay roll"}' });
  expect((await stage.described()).tools).toHaveLength(1);
});

test("a person sees the result of a typed call, but no model does", async () => {
  const stage = new Stage({ tables: page({ ...PUBLIC, integrity: 0 }), serve: answering });
  expect(await stage.gate.personCalls.call(read, never)).toMatchObject({
    outcome: "ok",
    content: '{"content":"pay roll"}',
  });
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toMatchObject({
    reason: expect.stringContaining("canned may not answer"),
  });
});

test("a backend that is not in the session's list must not answer", async () => {
  const tables = page({ ...SECRET, integrity: 0 });
  const stage = new Stage({ tables: { ...tables, rows: [row("operator", [2])] } });
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("no backend answers in this session"));
});
