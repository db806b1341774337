import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { always, row, tool } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { MessageRecord } from "../../lib/wire/generated/audit.ts";
import { MAX_RECORDED_BYTES } from "./flood.ts";
import { Stage } from "./testing/stage.ts";

const never = new AbortController().signal;
const TOO_MUCH = "more than 256 KiB would be on record of one turn";

function staged(): Stage {
  const decisions = [{ clauses: [always("auto")], floors: [] }];
  const params = [{ name: "path", type: { which: "text", text: { maxBytes: 200_000 } }, required: true }] as const;
  const tools = [tool("notes.write", { params })];
  const stage = new Stage({ tables: { tools, rows: [row("operator", [2])], decisions } });
  stage.gate.session.beginTurn();
  return stage;
}

const long = (letters: number) => ({
  id: "1",
  name: "notes.write",
  arguments: `{"path":"${"é".repeat(letters / 2)}"}`,
});

async function proposing(stage: Stage, letters: number) {
  const { turn, snapshot } = await stage.described();
  return stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: long(letters) }, never);
}

const events = (stage: Stage) =>
  stage.entries.flatMap((entry) =>
    entry.which === "session" ? [`${entry.session.event}: ${entry.session.detail}`] : [],
  );

function bytesOf({ entries }: Stage): number {
  return entries.reduce((sum, entry) => {
    const call = entry.which === "intent" ? entry.intent : entry.which === "outcome" ? entry.outcome : undefined;
    return sum + Buffer.byteLength(call?.arguments ?? "");
  }, 0);
}

test("records the arguments of sent calls completely, but refuses calls after a maximum of recorded bytes per turn", async () => {
  const stage = staged();
  const isNoted = stage.until("session");
  const outcomes: string[] = [];
  for (let call = 0; call < 20; call += 1) {
    const described = await stage.gate.offering.describe("main");
    if (!described.ok) break;
    outcomes.push(
      (await stage.gate.loopCalls.invoke({ conversation: "main", ...described.value, call: long(100_000) }, never))
        .outcome,
    );
  }
  expect(outcomes).toEqual(["ok", "ok", "refusedByPolicy"]);
  expect(bytesOf(stage)).toBeLessThan(MAX_RECORDED_BYTES);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(TOO_MUCH));
  await isNoted;
  expect(events(stage)).toEqual([`flooded: ${TOO_MUCH}`]);
  stage.gate.session.beginTurn();
  expect(await proposing(stage, 100_000)).toMatchObject({ outcome: "ok" });
});

test("counts refusals by the size of their records", async () => {
  const stage = staged();
  const { turn } = await stage.described();
  const invoke = () =>
    stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot: new Uint8Array(), call: long(200_000) }, never);
  const refused = await Promise.all(Array.from({ length: 128 }, invoke));
  const heard = refused.filter(({ error }) => error !== TOO_MUCH);
  expect(heard.length).toBeGreaterThan(50);
  expect(heard.length).toBeLessThan(128);
  expect(stage.entries.filter(({ which }) => which === "outcome")).toHaveLength(heard.length);
  expect(bytesOf(stage)).toBeLessThan(MAX_RECORDED_BYTES);
});

test("does not count a person's own calls, since each is a turn of its own", async () => {
  const stage = staged();
  for (let call = 0; call < 4; call += 1)
    expect(await stage.gate.personCalls.call(long(100_000), never)).toMatchObject({ outcome: "ok" });
});

test("counts the new messages of each answer towards the turn's maximum of recorded bytes", async () => {
  const stage = staged();
  const isNoted = stage.until("session");
  let answers = 0;
  for (; answers < 20; answers += 1) {
    const described = await stage.gate.offering.describe("main");
    if (!described.ok) break;
    stage.messages = messages(1000, answers);
  }
  await isNoted;
  // After the last permitted answer, further requests are refused.
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(TOO_MUCH));
  expect([answers, events(stage)]).toEqual([4, [`flooded: ${TOO_MUCH}`]]);
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toMatchObject({ value: { turn: 2 } });
});

test("does not count messages again that were counted before", async () => {
  const stage = staged();
  stage.messages = messages(1000, 0);
  for (let answer = 0; answer < 20; answer += 1)
    expect(await stage.gate.offering.describe("main")).toMatchObject({ value: { turn: 1 } });
});

function messages(count: number, seed: number): MessageRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    role: "user",
    bytes: 1,
    hash: createHash("sha256").update(`${seed} ${at}`).digest(),
  }));
}

test("counts requests for tool tables, because each may be recorded", async () => {
  const stage = staged();
  let asked = 0;
  while (asked < 2000 && (await stage.gate.offering.describe("main")).ok) asked += 1;
  expect(asked).toBe(512);
});
