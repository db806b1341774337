import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { always, row } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Row } from "../../lib/wire/generated/policy.ts";
import { LONGEST_TIMER_MS, type Reply } from "../../lib/wire/index.ts";
import { runAfter } from "./deadline.ts";
import { MAX_PROPOSED } from "./loop-calls.ts";
import { type Serve, Stage } from "./testing/stage.ts";

const never = new AbortController().signal;
const CALL: ToolCall = { id: "1", name: "notes.write", arguments: '{"path":"a"}' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service that answers only when its call is cancelled. */
const waiting: Serve = (_, { signal }) =>
  new Promise((resolve) => {
    const give = () => resolve({ ok: false, code: "cancelled", reason: "the call was given up" });
    signal?.addEventListener("abort", give);
    if (signal?.aborted) give();
  });

function staged(timeouts: Partial<Row["timeouts"]>, serve?: Serve): Stage {
  const rows = [row("operator", [2], { timeouts: { callMs: 0, turnMs: 0, loginMs: 0, idleMs: 0, ...timeouts } })];
  const decisions = [{ clauses: [always("auto")], floors: [] }];
  return new Stage({ tables: { rows, decisions }, ...(serve && { serve }) });
}

async function propose(stage: Stage) {
  const { turn, snapshot } = await stage.described();
  return stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never);
}

test("the page's timeout of a turn stops the running call and refuses further calls; the next turn has a timeout of its own", async () => {
  const stage = staged({ turnMs: 5000 }, waiting);
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const isSent = stage.until("send");
  const calls = [1, 2].map(() =>
    stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never),
  );
  await isSent;
  vi.advanceTimersByTime(4999);
  expect(stage.notices.filter(({ stage: at }) => at === "finished")).toEqual([]);
  vi.advanceTimersByTime(1);
  const words = "the page's time for a turn is over";
  expect(await Promise.all(calls)).toMatchObject([
    { outcome: "timedOut", error: words },
    { outcome: "refusedByPolicy", error: words },
  ]);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(words));
  stage.gate.session.beginTurn();
  vi.advanceTimersByTime(4999);
  expect(await stage.gate.offering.describe("main")).toMatchObject({ value: { turn: 2 } });
});

test("when the machine stops, the running call ends and is recorded, and no other call begins", async () => {
  const stage = staged({}, waiting);
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const isSent = stage.until("send");
  const calls = [1, 2].map(() =>
    stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never),
  );
  await isSent;
  await stage.gate.stop();
  const words = "the machine stops";
  const cancelled = { outcome: "cancelled", error: words };
  expect(await Promise.all(calls)).toMatchObject([cancelled, cancelled]);
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(words));
  expect(await stage.gate.personCalls.call(CALL, never)).toMatchObject(cancelled);
});

test("if a turn has several reasons to end, the first reason is reported", async () => {
  const stage = staged({ turnMs: 5000 });
  stage.gate.session.beginTurn();
  stage.gate.interrupt();
  vi.advanceTimersByTime(5000);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the person stopped the turn"));
});

test("a turn has a time limit even if the page sets no time limit", async () => {
  const stage = staged({});
  stage.gate.session.beginTurn();
  vi.advanceTimersByTime(3_600_000);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the page's time for a turn is over"));
});

test("the page's session time ends the session for good, and this is recorded", async () => {
  const stage = staged({ loginMs: 60_000 }, waiting);
  stage.gate.session.beginTurn();
  const isSent = stage.until("send");
  const call = propose(stage);
  await isSent;
  vi.advanceTimersByTime(60_000);
  const words = "the page's time for a session is over";
  expect(await call).toMatchObject({ outcome: "timedOut", error: words });
  expect(await stage.gate.personCalls.call(CALL, never)).toMatchObject({ outcome: "refusedByPolicy", error: words });
  stage.gate.session.beginTurn();
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(words));
  expect(stage.sent).toHaveLength(1);
  expect(stage.entries).toContainEqual({
    which: "session",
    session: { name: "operator", event: "ended", detail: words, digest: new Uint8Array() },
  });
});

test("a deadline beyond the maximum of Node's timers does not fire early", async () => {
  const ran = vi.fn();
  runAfter(LONGEST_TIMER_MS + 1000, ran);
  const takenBack = vi.fn();
  const takeBack = runAfter(LONGEST_TIMER_MS + 1000, takenBack);
  vi.advanceTimersByTime(LONGEST_TIMER_MS + 999);
  expect(ran).not.toHaveBeenCalled();
  takeBack();
  vi.advanceTimersByTime(1);
  expect([ran.mock.calls.length, takenBack.mock.calls.length]).toEqual([1, 0]);

  let given: number | undefined;
  const stage = staged({ callMs: 0xffff_ffff }, async (_, { timeoutMs }) => {
    given = timeoutMs;
    return { ok: true, value: "{}" };
  });
  await stage.gate.personCalls.call(CALL, never);
  expect(given).toBe(LONGEST_TIMER_MS);
});

test("an interrupt stops the running call and the turn, whatever the loop does", async () => {
  const stage = staged({}, waiting);
  stage.gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  const invoke = () => stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never);
  const isSent = stage.until("send");
  const calls = [invoke(), invoke()];
  await isSent;
  stage.gate.interrupt();
  const stopped = { outcome: "cancelled", error: "the person stopped the turn" };
  expect(await Promise.all([...calls, invoke()])).toMatchObject([stopped, stopped, stopped]);
  expect([stage.sent.length, await stage.gate.offering.describe("main")]).toEqual([
    1,
    refuse("the person stopped the turn"),
  ]);
  expect(stage.steps.filter((step) => step.startsWith("reserve"))).toHaveLength(1);
});

test.each<readonly [string, Reply<string>]>([
  ["an answer", { ok: true, value: '{"text":"what was read"}' }],
  ["an unusable answer", { ok: false, code: "malformed", reason: "why", ran: { is: "answered", answer: "" } }],
])("%s after the stop is recorded, but not returned to the model", async (_, reply) => {
  for (const stop of ["interrupt", "beginTurn"] as const) {
    const stage: Stage = staged({}, async () => {
      if (stop === "interrupt") stage.gate.interrupt();
      else stage.gate.session.beginTurn();
      return reply;
    });
    stage.gate.session.beginTurn();
    const words = stop === "interrupt" ? "the person stopped the turn" : "the turn is over";
    expect(await propose(stage)).toEqual({
      callId: "1",
      outcome: "cancelled",
      content: "",
      error: `it ran, and its result is not told: ${words}`,
    });
    expect(stage.entries.at(-1)).toMatchObject({ which: "outcome", outcome: { outcome: "ok" } });
    expect(stage.notices.at(-1)).toMatchObject({ stage: "finished", outcome: "ok" });
  }
});

test("a person's new turn ends the calls of the previous turn", async () => {
  const stage = staged({}, waiting);
  stage.gate.session.beginTurn();
  const isSent = stage.until("send");
  const call = propose(stage);
  await isSent;
  stage.gate.session.beginTurn();
  expect(await call).toMatchObject({ outcome: "cancelled", error: "the turn is over" });
});

test("a loop's proposals per turn are bounded; further ones are neither drawn nor recorded", async () => {
  const stage = staged({});
  stage.gate.session.beginTurn();
  const { turn } = await stage.described();
  const invoke = () =>
    stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot: new Uint8Array(), call: CALL }, never);
  for (let index = 0; index < MAX_PROPOSED; index += 1) await invoke();
  const before = [stage.entries.length, stage.notices.length];
  expect(before).toEqual([MAX_PROPOSED, MAX_PROPOSED]);
  const words = `more than ${MAX_PROPOSED} calls were proposed in one turn`;
  const isNoted = stage.until("session");
  for (let index = 0; index < 3; index += 1) {
    expect(await invoke()).toMatchObject({ outcome: "refusedByPolicy", error: words });
  }
  await isNoted;
  expect([stage.entries.length, stage.notices.length]).toEqual([(before[0] ?? 0) + 1, before[1]]);
  expect(stage.entries.at(-1)).toMatchObject({ session: { event: "flooded", detail: words } });
  stage.gate.session.beginTurn();
  expect((await propose(stage)).outcome).toBe("ok");
  expect(stage.entries.filter(({ which }) => which === "session")).toHaveLength(1);
});
