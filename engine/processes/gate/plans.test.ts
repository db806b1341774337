// Tests the gate's service for action plans: its previews, the turn of a plan, and which of its calls run.
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { always, CATEGORY, check, PUBLIC, row, SECRET, tool, where } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { PlanGate } from "../../lib/wire/generated/service.ts";
import { Files } from "../../lib/wire/generated/tools.ts";
import { connect } from "../../lib/wire/index.ts";
import { MAX_PLANNED } from "./plan-turns.ts";
import { MOST_PER_HOUR, Plans } from "./plans.ts";
import { servePlans } from "./serve.ts";
import { callIn, never } from "./testing/calls.ts";
import { answering, Stage, type Surroundings } from "./testing/stage.ts";

const [text, whole] = [tool("papers.read").params[0]?.type, "all of it"];
const params = ["path", "content"].map((name) => ({
  name,
  type: text ?? { which: "boolean" as const },
  required: true,
}));
const READ = tool("papers.read", {
  ...{ interfaceId: Files.id, method: Files.methods.read.ordinal, category: CATEGORY.readOnly, readOnly: true },
});
const WRITE = tool("papers.write", { interfaceId: Files.id, method: Files.methods.write.ordinal, params });

/** Returns a page on which reading files is allowed, except below /locked, and writing them needs a person's consent. */
function page(changes: Partial<PolicyTables> = {}): Partial<PolicyTables> {
  const locked = where([check("path", "under", "/locked")], "forbidden", "auto");
  const decisions = [
    { clauses: [locked], floors: [] },
    { clauses: [always("consent")], floors: [] },
  ];
  return { tools: [READ, WRITE], decisions, rows: [row("operator", [2, 3])], ...changes };
}

/**
 * Returns a gate that serves plans, a connection to it and its clock, with functions that call the gate and list its
 * recorded events.
 */
function planned(surroundings: Surroundings = {}) {
  const stage = new Stage({
    ...{ tables: page(), services: ["papers"], serve: answering(JSON.stringify({ content: whole })) },
    ...surroundings,
  });
  const [mine, theirs] = duplexPair();
  const clock = { ms: 0 };
  servePlans(theirs, new Plans(stage.gate, () => clock.ms));
  const connection = connect(mine);
  const ask = async (method: keyof typeof PlanGate.methods, args: object): Promise<unknown> => {
    const reply = await connection.callTool(PlanGate.id, PlanGate.methods[method].ordinal, JSON.stringify(args));
    return reply.ok ? JSON.parse(reply.value) : `${reply.code}: ${reply.reason}`;
  };
  const sessions = () =>
    stage.entries.flatMap((one) => (one.which === "session" ? [`${one.session.event}: ${one.session.detail}`] : []));
  return { stage, connection, raw: mine, clock, ask, sessions };
}

const read = (path = "/a") => ({ type: "read_file", path });
const write = (content = "new") => ({ type: "write_file", path: "/a", content });
const act = (action: object, more: object = {}) => ({ turn: 1, id: "0", action, isCautious: false, ...more });
const FLOATED = "what this session has seen may not be told to who hands in plans";
const NOT_THE_PLANS = "the turn of this plan is over";

test("a preview states what would run and what would ask, and has no effect", async () => {
  const { stage, ask } = planned();
  const look = (action: object) => ask("look", { action });
  expect(await look(read())).toEqual({ standing: "runs", reason: expect.stringContaining("first line") });
  expect(await look(write())).toEqual({ standing: "asks", reason: expect.stringContaining("first line") });
  expect(await look(read("/locked/a"))).toEqual({ standing: "refused", reason: expect.stringContaining("first line") });
  for (const none of [{ type: "exec", path: "/a" }, { ...read(), as: "root" }, { path: "/a" }, "read_file"]) {
    expect(await ask("look", { action: none })).toEqual({
      ...{ standing: "refused", reason: "this is neither read_file nor write_file" },
    });
  }
  expect(await look({ type: "write_file", path: "/a" })).toMatchObject({ standing: "asks" });
  stage.gate.calls.revoke("papers");
  expect(await look(read())).toEqual({ standing: "refused", reason: "papers was revoked" });
  expect([stage.sent, stage.questions, stage.gate.place.turn]).toEqual([[], [], 0]);
});

test("a preview refuses an action if the session has no tool for it", async () => {
  const { ask } = planned({ tables: page({ tools: [READ], rows: [row("operator", [2])] }) });
  expect(await ask("look", { action: read() })).toMatchObject({ standing: "runs" });
  expect(await ask("look", { action: write() })).toEqual({
    ...{ standing: "refused", reason: "this session has no tool for write_file" },
  });
  expect(await ask("begin", { words: "" })).toEqual({ turn: 1 });
  expect(await ask("act", act(write()))).toEqual({
    ...{ outcome: "unknownTool", content: "", error: "this session has no tool for write_file" },
  });
});

test("a plan is a turn of its own, recorded with its shortened reason before it runs", async () => {
  const { stage, ask, sessions } = planned();
  expect(await ask("begin", { words: "tidy" })).toEqual({ turn: 1 });
  expect(await ask("act", act(read()))).toEqual({
    outcome: "ok",
    content: JSON.stringify({ content: whole }),
    error: "",
  });
  expect(stage.steps).toEqual(["session", "reserve papers.read in 1 with 0", "send", "outcome"]);
  expect(stage.sent).toEqual(['{"path":"/a"}']);
  expect(callIn(stage.entries[1])).toMatchObject({ runner: "llm-osd", turn: 1 });
  expect(await ask("begin", { words: "x".repeat(9000) })).toEqual({ turn: 2 });
  const [first, second = ""] = sessions();
  expect([first, second.startsWith("plan: turn 2: xxx"), second.length < 8400]).toEqual([
    "plan: turn 1: tidy",
    true,
    true,
  ]);
  expect(await ask("act", act(read()))).toMatchObject({ outcome: "refusedByPolicy", error: NOT_THE_PLANS });
});

test("sends a write to the service unchanged after a person approves", async () => {
  const { stage, ask } = planned({ said: ["granted", "denied"] });
  await ask("begin", { words: "" });
  expect(await ask("act", act(write("words")))).toMatchObject({ outcome: "ok" });
  expect(await ask("act", act(write("others")))).toEqual({
    ...{ outcome: "deniedByUser", content: "", error: "the person said no" },
  });
  expect(stage.sent).toEqual(['{"content":"words","path":"/a"}']);
});

test("asks about every action that the plan marks as dangerous or marks with malformed data", async () => {
  const { stage, ask } = planned({ said: ["granted", "granted"] });
  await ask("begin", { words: "" });
  for (const isCautious of [true, "no"]) {
    expect(await ask("act", act(read(), { isCautious }))).toMatchObject({ outcome: "ok" });
  }
  expect(await ask("act", act(read()))).toMatchObject({ outcome: "ok" });
  expect(stage.questions).toHaveLength(2);
  const caution = /; the plan calls it dangerous, or its path leads elsewhere, so a person is asked$/;
  for (const { sentence } of stage.questions) expect(sentence).toMatch(caution);
});

test("runs no call outside of the plan's own turn, and no more calls than a plan may have actions", async () => {
  const { stage, ask, sessions } = planned();
  expect(await ask("act", act(read(), { turn: 0 }))).toMatchObject({ error: NOT_THE_PLANS });
  await ask("begin", { words: "" });
  expect(await ask("act", act(read(), { turn: 2 }))).toMatchObject({ error: NOT_THE_PLANS });
  stage.gate.session.beginTurn();
  expect(await ask("act", act(read(), { turn: 2 }))).toMatchObject({ error: NOT_THE_PLANS });
  expect(stage.sent).toEqual([]);
  expect(await ask("begin", { words: "" })).toEqual({ turn: 3 });
  for (let call = 0; call < MAX_PLANNED; call += 1) {
    expect(await ask("act", act(read(), { turn: 3 }))).toMatchObject({ outcome: "ok" });
  }
  const most = `more than ${MAX_PLANNED} calls were proposed in one turn`;
  for (const _ of [1, 2]) expect(await ask("act", act(read(), { turn: 3 }))).toMatchObject({ error: most });
  expect([stage.sent.length, sessions().filter((one) => one === `flooded: ${most}`).length]).toEqual([MAX_PLANNED, 1]);
});

test("in a plan's turn the loop cannot propose, and gets no tool table", async () => {
  const { stage, ask } = planned();
  await ask("begin", { words: "" });
  const words = "the person calls a tool directly, and nobody else proposes anything meanwhile";
  expect(await stage.gate.offering.describe("main")).toEqual(refuse(words));
  const call = { id: "1", name: "papers.read", arguments: '{"path":"/a"}' };
  expect(
    await stage.gate.loopCalls.invoke({ conversation: "main", turn: 1, snapshot: new Uint8Array(), call }, never),
  ).toMatchObject({ error: words });
});

test("refuses an action whose id has invalid characters", async () => {
  const { stage, ask } = planned();
  await ask("begin", { words: "" });
  for (const id of ["", "a b", 1]) {
    expect(await ask("act", act(read(), { id }))).toBe(
      "failed: the id of a call is 1 to 64 letters, digits, and _ . -",
    );
  }
  expect(stage.sent).toEqual([]);
});

test("does not run an action that would raise the label, and begins no plan above the initial label", async () => {
  const high = { ...READ, result: { low: PUBLIC, high: SECRET } };
  const { stage, ask } = planned({ tables: page({ tools: [high, WRITE] }), said: ["granted"] });
  await ask("begin", { words: "" });
  expect(await ask("look", { action: read() })).toEqual({ standing: "refused", reason: FLOATED });
  expect(await ask("act", act(read()))).toEqual({ outcome: "refusedByPolicy", content: "", error: FLOATED });
  expect(await ask("look", { action: write() })).toMatchObject({ standing: "asks" });
  expect(await ask("act", act(write()))).toMatchObject({ outcome: "ok" });
  expect(stage.sent).toHaveLength(1);
  await stage.gate.personCalls.call({ id: "1", name: "papers.read", arguments: '{"path":"/a"}' }, never);
  expect(await ask("begin", { words: "" })).toBe(`failed: ${FLOATED}`);
});

test("a preview refuses a read above the session's clearance", async () => {
  const secret = { ...READ, result: { low: SECRET, high: SECRET } };
  const rows = [row("operator", [2, 3], { clearance: { ...PUBLIC, integrity: 0 } })];
  const { ask } = planned({ tables: page({ tools: [secret, WRITE], rows }) });
  expect(await ask("look", { action: read() })).toMatchObject({ standing: "refused" });
});

test("begins no plan if it cannot be recorded, or if the session has ended or is locked", async () => {
  const { stage, ask, sessions } = planned();
  stage.refuses = "sessions";
  expect(await ask("begin", { words: "" })).toBe("failed: the disk refused the record");
  stage.refuses = "nothing";
  stage.refusal = "the log is full";
  expect(await ask("begin", { words: "" })).toMatch(/^failed: .*the log is full$/);
  stage.refusal = "";
  expect([stage.gate.place.turn, sessions()]).toEqual([0, []]);
  await stage.gate.stop();
  expect(await ask("begin", { words: "" })).toBe("failed: the machine stops");
  const locked = planned({
    tables: page({
      principals: [{ name: "alice", keys: [], passphrase: "alice" }],
      rows: [row("operator", [2, 3], { login: "passphrase", principals: [0] })],
    }),
  });
  expect(await locked.ask("begin", { words: "" })).toBe("failed: the session is locked");
});

test("without a disk a plan is still a turn, but only reads run", async () => {
  const { stage, ask, sessions } = planned();
  stage.isDurable = false;
  expect(await ask("begin", { words: "" })).toEqual({ turn: 1 });
  expect(await ask("act", act(read()))).toMatchObject({ outcome: "ok" });
  expect(await ask("act", act(write()))).toMatchObject({ outcome: "refusedByPolicy" });
  expect(sessions()).toEqual([]);
});

test("a plan waits for a person's running call, and does not end its turn", async () => {
  const answer = Promise.withResolvers<void>();
  const { stage, ask } = planned({
    serve: async () => {
      await answer.promise;
      return { ok: true, value: "{}" };
    },
  });
  const sent = stage.until("send");
  const called = stage.gate.personCalls.call({ id: "1", name: "papers.read", arguments: '{"path":"/a"}' }, never);
  await sent;
  const begun = ask("begin", { words: "" });
  answer.resolve();
  expect([(await called).outcome, await begun]).toEqual(["ok", { turn: 2 }]);
});

test("a person's new turn comes before a plan that is still being recorded, and the plan's refusal is recorded", async () => {
  const { stage, ask, sessions } = planned();
  void stage.until("session").then(() => stage.gate.session.beginTurn());
  expect(await ask("begin", { words: "tidy" })).toBe("failed: a person began a turn before the plan's");
  expect(stage.gate.place.turn).toBe(1);
  await expect
    .poll(sessions)
    .toEqual(["plan: turn 1: tidy", "plan refused: turn 1: a person began a turn before the plan's"]);
});

test("records malformed plans, and bounds the number of all plans per hour", async () => {
  const { clock, ask, sessions } = planned();
  const words = `more than ${MOST_PER_HOUR} plans came within an hour`;
  expect(await ask("refused", { words: "no plan" })).toEqual({});
  expect(sessions()).toEqual(["plan refused: no plan"]);
  for (let count = 2; count <= MOST_PER_HOUR; count += 1) await ask("refused", { words: "no plan" });
  clock.ms = 3_599_999;
  expect(await ask("begin", { words: "" })).toBe(`failed: ${words}`);
  expect(await ask("refused", { words: "" })).toBe(`failed: ${words}`);
  expect([sessions().length, sessions().at(-1)]).toEqual([MOST_PER_HOUR + 1, `plans flooded: ${words}`]);
  clock.ms = 3_600_000;
  expect(await ask("refused", { words: "later" })).toEqual({});
  expect(sessions().at(-1)).toBe("plan refused: later");
});

test("answers a malformed request with the reason, and disconnects and records a protocol violation", async () => {
  const { connection, raw, ask, sessions } = planned();
  const words = { words: "" };
  expect(await connection.call(PlanGate.methods.begin, words)).toMatchObject({ code: "malformed" });
  expect(await connection.callTool(PlanGate.id, PlanGate.methods.begin.ordinal, "{")).toMatchObject({
    code: "malformed",
  });
  expect(await connection.callTool(PlanGate.id, 99, "{}")).toMatchObject({
    ...{ code: "unknownMethod", reason: "PlanGate has no method 99" },
  });
  expect(await ask("begin", {})).toEqual({ turn: 1 });
  expect(sessions()).toEqual(["plan: turn 1: "]);
  raw.write(Buffer.alloc(64, 0xff));
  await expect.poll(() => sessions().length).toBe(2);
  expect(sessions()[1]).toMatch(/^cut off: ./);
});

test("does not record an ordinary disconnect", async () => {
  const { connection, ask, sessions } = planned();
  await ask("begin", {});
  connection.close();
  await connection.closed;
  await new Promise(setImmediate);
  expect(sessions()).toEqual(["plan: turn 1: "]);
});
