import { expect, test } from "vitest";
import { always, check, PUBLIC, row, SECRET, tool, where } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import type { Answer } from "../../lib/wire/generated/wire.ts";
import type { CallResult, Reply } from "../../lib/wire/index.ts";
import { Gate } from "./gate.ts";
import { answering as answers, type Serve, Stage } from "./testing/stage.ts";

type Failed = Exclude<Reply<string>, { readonly ok: true }>;

const never = new AbortController().signal;
const CALL: ToolCall = { id: "1", name: "notes.write", arguments: '{"path":"a"}' };

function set(tables: Partial<PolicyTables>, serve: Serve = answers("{}"), ...said: (Answer | undefined)[]): Stage {
  return new Stage({ tables, serve, said: said.flatMap((answer) => answer ?? []) });
}

function page(mode: "auto" | "consent" | "stepUp" | "forbidden"): Partial<PolicyTables> {
  return { decisions: [{ clauses: [always(mode)], floors: [] }] };
}

async function outcome({ gate }: Stage, call = CALL): Promise<string> {
  return (await gate.personCalls.call(call, never)).outcome;
}

test("opens no gate for a session that is not in the tables", () => {
  const { parts } = set({}).gate;
  expect(Gate.open({ ...parts, providers: new Map(), session: "visitor" })).toBeUndefined();
});

test("sends exactly the canonical arguments that were decided", async () => {
  const setting = set(page("auto"));
  await setting.gate.personCalls.call({ ...CALL, arguments: ' { "path" : "\\u0061" } ' }, never);
  expect(setting.sent).toEqual(['{"path":"a"}']);
  expect(setting.notices.map(({ arguments: args, stage }) => [args, stage])).toEqual([['{"path":"a"}', "finished"]]);
});

test("sends no refused or denied call, and does not ask about a forbidden call", async () => {
  for (const [mode, said, expected] of [
    ["forbidden", "granted", "refusedByPolicy"],
    ["consent", "denied", "deniedByUser"],
    ["consent", "timedOut", "deniedByUser"],
    ["consent", "cancelled", "cancelled"],
    ["consent", undefined, "refusedByPolicy"],
  ] as const) {
    const setting = set(page(mode), answers("{}"), said);
    expect([mode, said, await outcome(setting)]).toEqual([mode, said, expected]);
    expect(setting.sent).toEqual([]);
    expect(setting.questions.length).toBe(mode === "consent" ? 1 : 0);
  }
});

test("each ending of a call has its own outcome", async () => {
  const failing = (code: Failed["code"], ran?: CallResult): Serve => {
    return async () => ({ ok: false, code, reason: "why", ...(ran === undefined ? {} : { ran }) });
  };
  const unanswered = { is: "unanswered" } as const;
  for (const [serve, expected] of [
    [answers('{"a":1}'), "ok"],
    [answers("no JSON"), "ok"],
    [failing("malformed", { is: "answered", answer: "" }), "ok"],
    [failing("malformed"), "executionError"],
    [failing("unknownMethod"), "executionError"],
    [failing("failed"), "executionError"],
    [failing("closed"), "executionError"],
    [failing("overloaded"), "executionError"],
    [failing("timedOut"), "timedOut"],
    [failing("cancelled"), "cancelled"],
  ] as const) {
    expect(await outcome(set(page("auto"), serve))).toBe(expected);
  }
  const told = async (serve: Serve) => (await set(page("auto"), serve).gate.personCalls.call(CALL, never)).error;
  expect([await told(failing("failed")), await told(failing("closed"))]).toEqual(["why", "closed: why"]);
  const words = "; it was sent and may have run: find out before you call it again";
  for (const code of ["closed", "timedOut", "cancelled"] as const) {
    expect(await told(failing(code, unanswered))).toBe(`${code}: why${words}`);
  }
  const absent = { tools: [tool("other.write")], ...page("auto") };
  expect(await outcome(set(absent), { ...CALL, name: "other.write" })).toBe("executionError");
});

test("each call of a service gets the timeout that the page sets", async () => {
  let given: number | undefined;
  const serve: Serve = async (_, { timeoutMs }) => {
    given = timeoutMs;
    return { ok: true, value: "{}" };
  };
  const timeouts = { callMs: 1234, turnMs: 0, loginMs: 0, idleMs: 0 };
  await outcome(set({ ...page("auto"), rows: [row("operator", [2], { timeouts })] }, serve));
  expect(given).toBe(1234);
});

test("results and errors raise the label alike, and content above the clearance is withheld", async () => {
  const tools = [tool("notes.write", { readOnly: true, result: { low: PUBLIC, high: SECRET } })];
  for (const serve of [answers("{}"), async () => ({ ok: false, code: "timedOut", reason: "" }) as const]) {
    const setting = set({ ...page("auto"), tools }, serve);
    await outcome(setting);
    expect(setting.gate.conversation.label).toEqual(SECRET);
  }
  const rows = [row("operator", [2], { clearance: { ...PUBLIC, integrity: 0 } })];
  const withheld = set({ ...page("auto"), tools, rows }, answers('{"secret":"x"}'));
  const result = await withheld.gate.personCalls.call(CALL, never);
  expect(result).toMatchObject({ outcome: "refusedByPolicy", content: "" });
  expect(withheld.sent).toHaveLength(1);
});

test("decides calls one after the other, each under the label that the previous call left", async () => {
  const tools = [
    tool("notes.read", { readOnly: true, result: { low: SECRET, high: SECRET } }),
    tool("notes.write", { sink: { ...PUBLIC, integrity: 0 } }),
  ];
  const setting = set({ ...page("auto"), tools, rows: [row("operator", [2, 2])] });
  setting.gate.session.beginTurn();
  const { turn, snapshot } = await setting.described();
  const both = ["notes.read", "notes.write"].map((name) =>
    setting.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: { ...CALL, name } }, never),
  );
  expect((await Promise.all(both)).map(({ outcome }) => outcome)).toEqual(["ok", "refusedByPolicy"]);
});

test("a call must name the gate's current turn, not an older or later one", async () => {
  const stage = set(page("auto"));
  const { gate, sent } = stage;
  gate.session.beginTurn();
  const first = await stage.described();
  expect([first.turn, (await stage.described()).turn]).toEqual([1, 1]);
  expect(gate.session.beginTurn()).toBe(2);
  const { turn, snapshot } = await stage.described();
  for (const wrong of [turn - 1, turn + 1, 0]) {
    const { outcome, error } = await gate.loopCalls.invoke(
      { conversation: "main", turn: wrong, snapshot, call: CALL },
      never,
    );
    expect([outcome, error]).toEqual(["refusedByPolicy", `the call is of turn ${wrong}, and this is turn 2`]);
  }
  expect(sent).toEqual([]);
  expect((await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never)).outcome).toBe("ok");
});

test("after the loop or a typed call has used a conversation, the gate refuses the name of another conversation", async () => {
  const [named, typed] = [set(page("auto")), set(page("auto"))];
  named.gate.session.beginTurn();
  expect([await named.gate.offering.describe("a b"), await named.gate.offering.describe("")]).toEqual(
    Array(2).fill(refuse("a conversation is named by 1 to 64 printable characters")),
  );
  await named.described("talk");
  await named.gate.personCalls.call(CALL, never);
  await typed.gate.personCalls.call(CALL, never);
  named.gate.session.beginTurn();
  for (const { gate } of [named, typed]) {
    expect(await gate.offering.describe("other")).toEqual(
      refuse("this gate keeps one conversation, and it is another"),
    );
  }
  typed.gate.session.beginTurn();
  expect([(await typed.described("main")).turn, (await named.described("talk")).turn]).toEqual([2, 3]);
  const { turn, snapshot } = await typed.described();
  expect(await typed.gate.loopCalls.invoke({ conversation: "other", turn, snapshot, call: CALL }, never)).toMatchObject(
    {
      outcome: "refusedByPolicy",
      error: "this gate keeps one conversation, and the call is of another",
    },
  );
});

test("during a typed call the loop can neither propose nor cancel", async () => {
  const answer = Promise.withResolvers<Reply<string>>();
  const stage = set(page("auto"), () => answer.promise);
  const { gate } = stage;
  gate.session.beginTurn();
  const { snapshot } = await stage.described();
  const isSent = stage.until("send");
  const typed = gate.personCalls.call(CALL, never);
  await isSent;
  gate.loopCalls.cancelTurn("main", 2);
  const proposed = gate.loopCalls.invoke({ conversation: "main", turn: 2, snapshot, call: CALL }, never);
  expect(await gate.offering.describe("main")).toMatchObject({
    reason: expect.stringMatching(/^the person calls a tool directly/),
  });
  answer.resolve({ ok: true, value: "{}" });
  expect([(await typed).outcome, (await proposed).outcome]).toEqual(["ok", "refusedByPolicy"]);
  expect(gate.session.beginTurn()).toBe(3);
  expect((await stage.described()).turn).toBe(3);
});

test("a typed call is a turn of its own, and ends the previous turn", async () => {
  const stage = set(page("auto"));
  const { gate } = stage;
  gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  await gate.personCalls.call(CALL, never);
  expect((await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never)).outcome).toBe(
    "refusedByPolicy",
  );
});

test("refuses calls before a person has begun a turn", async () => {
  const { gate, sent } = set(page("auto"));
  expect(await gate.offering.describe("main")).toEqual(refuse("the turn is over"));
  expect(
    (await gate.loopCalls.invoke({ conversation: "main", turn: 0, snapshot: new Uint8Array(), call: CALL }, never))
      .outcome,
  ).toBe("refusedByPolicy");
  expect(sent).toEqual([]);
});

test("a tool table is valid for its turn only, even if the table of the next turn is equal", async () => {
  const { gate, sent } = set(page("auto"));
  gate.session.beginTurn();
  const described = await gate.offering.describe("main");
  if (!described.ok) throw new Error(described.reason);
  const first = described.value;
  const turn = gate.session.beginTurn();
  const { outcome, error } = await gate.loopCalls.invoke(
    { conversation: "main", turn, snapshot: first.snapshot, call: CALL },
    never,
  );
  expect([outcome, error]).toEqual(["refusedByPolicy", "the call was made from a tool table that is not the newest"]);
  expect(await gate.offering.describe("main")).toMatchObject({ value: { snapshot: first.snapshot } });
  expect(
    (await gate.loopCalls.invoke({ conversation: "main", turn, snapshot: first.snapshot, call: CALL }, never)).outcome,
  ).toBe("ok");
  expect(sent).toHaveLength(1);
});

test("each tool table has a nonce of its own", async () => {
  const stage = set(page("auto"));
  stage.gate.session.beginTurn();
  const given = [await stage.described(), await stage.described()];
  const nonces = given.map(({ nonce }) => Buffer.from(nonce).toString("hex"));
  expect(nonces[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(nonces[1]).not.toBe(nonces[0]);
});

test("a notice shows a mode only if the call reached a decision", async () => {
  const { gate, notices } = set(page("forbidden"));
  await gate.personCalls.call(CALL, never);
  await gate.personCalls.call({ ...CALL, name: "notes.burn" }, never);
  await gate.personCalls.call({ ...CALL, arguments: "{" }, never);
  expect(notices.map(({ mode, hasMode }) => (hasMode ? mode : "none"))).toEqual(["forbidden", "none", "none"]);
});

test("cancelling a turn cancels its running and waiting calls", async () => {
  const waiting: Serve = (_, { signal }) =>
    new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve({ ok: false, code: "cancelled", reason: "given up" }));
      gate.loopCalls.cancelTurn("main", 1);
    });
  const setting = set(page("auto"), waiting);
  const { gate } = setting;
  gate.session.beginTurn();
  const { snapshot } = await setting.described();
  const calls = [1, 2].map((id) =>
    gate.loopCalls.invoke({ conversation: "main", turn: 1, snapshot, call: { ...CALL, id: String(id) } }, never),
  );
  expect((await Promise.all(calls)).map(({ outcome }) => outcome)).toEqual(["cancelled", "cancelled"]);
  expect(setting.sent).toHaveLength(1);
});

test("a loop can cancel only its own turn in its own conversation", async () => {
  const stage = set(page("auto"));
  const { gate } = stage;
  gate.session.beginTurn();
  const { turn, snapshot } = await stage.described();
  gate.loopCalls.cancelTurn("other", turn);
  gate.loopCalls.cancelTurn("main", turn + 1);
  expect((await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never)).outcome).toBe("ok");
  gate.loopCalls.cancelTurn("main", turn);
  expect((await gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never)).outcome).toBe(
    "cancelled",
  );
});

test("a question states what will happen and which rule asks", async () => {
  const clause = where([check("path", "equal", "b")], "auto", "consent", 1);
  const setting = set({ decisions: [{ clauses: [clause], floors: [] }] }, answers("{}"), "granted");
  const long = JSON.stringify({ path: "x".repeat(60) });
  await outcome(setting, { ...CALL, arguments: long });
  expect(setting.questions).toMatchObject([
    {
      sentence: "notes.write: path of 60 bytes",
      arguments: long,
      mode: "consent",
      rule: "the second line (a.cap:2:1)",
    },
  ]);
});
