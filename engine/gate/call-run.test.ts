import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { always, check, PUBLIC, row, SECRET, tool, where } from "../policy/testing/sample.ts";
import type { AuditEntry, CallRecord } from "../wire/generated/audit.ts";
import type { PermissionMode, ToolCall, ToolResult } from "../wire/generated/capos.ts";
import type { PolicyTables } from "../wire/generated/policy.ts";
import { answering, Stage, type Surroundings } from "./testing/stage.ts";

const never = new AbortController().signal;
const CALL: ToolCall = { id: "1", name: "notes.write", arguments: '{"path":"a"}' };

function page(mode: PermissionMode, changes: Partial<PolicyTables> = {}): Partial<PolicyTables> {
  return { decisions: [{ clauses: [always(mode)], floors: [] }], ...changes };
}

/** One more of the same service, behind the same gate. */
const TWO_TOOLS = {
  tools: [tool("notes.write"), tool("notes.zip")],
  rows: [row("operator", [2, 2])],
};

/** The page's one tool reads and changes nothing. */
const reading = { tools: [tool("notes.write", { readOnly: true })] };

function staged(mode: PermissionMode, surroundings: Surroundings = {}): Stage {
  return new Stage({ ...surroundings, tables: page(mode, surroundings.tables) });
}

function direct(stage: Stage, call = CALL): Promise<ToolResult> {
  return stage.gate.direct(call, never);
}

function propose(stage: Stage, call = CALL): Promise<ToolResult> {
  const { turn, snapshot } = stage.described();
  return stage.gate.invoke("main", turn, snapshot, call, never);
}

function callIn(entry: AuditEntry | undefined): CallRecord {
  if (entry?.which === "intent") return entry.intent;
  if (entry?.which === "outcome") return entry.outcome;
  throw new Error(`no call was recorded but ${entry?.which}`);
}

test("auto: charged, recorded, sent, recorded, settled, and only then answered", async () => {
  const stage = staged("auto");
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  expect(stage.steps).toEqual(["reserve notes.write in 1 with 0", "intent", "send", "outcome", "settle"]);
});

test("consent: charged with its prompt, asked, and then as before", async () => {
  const stage = staged("consent", { said: ["granted"] });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  expect(stage.steps).toEqual(["reserve notes.write in 1 with 1", "ask", "intent", "send", "outcome", "settle"]);
});

test("step-up: the broker's line is signed and proved before anything is recorded as begun", async () => {
  const stage = staged("stepUp", { said: ["granted"] });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  const [first, ...rest] = ["reserve notes.write in 1 with 1", "challenge", "ask to sign", "prove signed"];
  expect(stage.steps).toEqual([first, ...rest, "intent", "send", "outcome", "settle"]);
  expect(stage.questions[0]).toMatchObject({ mode: "stepUp", challenge: 'sign {"path":"a"}', timeoutMs: 300_000 });
  expect(stage.entries.map(callIn)).toMatchObject(
    Array(2).fill({ principal: "alice", decision: "stepUpSucceeded", rule: "0" }),
  );
});

for (const [what, mode, surroundings, bend, expected] of [
  ["the person says no", "consent", { said: ["denied"] }, () => {}, ["deniedByUser", "denied"]],
  ["nobody answers in time", "consent", { said: ["timedOut"] }, () => {}, ["deniedByUser", "denied"]],
  ["the question is stopped", "consent", { said: ["cancelled"] }, () => {}, ["cancelled", "denied"]],
  ["nobody can be asked", "consent", {}, () => {}, ["refusedByPolicy", "notReached"]],
  ["nothing is signed", "stepUp", { said: ["denied"] }, () => {}, ["stepUpFailed", "stepUpFailed"]],
  ["nobody signs in time", "stepUp", { said: ["timedOut"] }, () => {}, ["stepUpFailed", "stepUpFailed"]],
  ["signing is stopped", "stepUp", { said: ["cancelled"] }, () => {}, ["cancelled", "stepUpFailed"]],
  ["nobody can be asked to sign", "stepUp", {}, () => {}, ["refusedByPolicy", "stepUpFailed"]],
  [
    "nobody has a key",
    "stepUp",
    { said: ["granted"] },
    (stage: Stage) => {
      stage.challengeFault = "no principal";
    },
    ["stepUpFailed", "stepUpFailed"],
  ],
  [
    "the proof is bad",
    "stepUp",
    { said: ["granted"] },
    (stage: Stage) => {
      stage.principal = "";
    },
    ["stepUpFailed", "stepUpFailed"],
  ],
  [
    "the quota is spent",
    "auto",
    {},
    (stage: Stage) => {
      stage.exhausted = "1 calls per turn";
    },
    ["refusedByPolicy", "notReached"],
  ],
  ["it is forbidden", "forbidden", {}, () => {}, ["refusedByPolicy", "forbidden"]],
] as const) {
  test(`where ${what}, nothing is sent, the charge is given back, and the refusal is on record without an intent`, async () => {
    const stage = staged(mode, surroundings);
    bend(stage);
    const { outcome, error } = await direct(stage);
    const [record] = stage.entries.map(callIn);
    expect([outcome, record?.decision]).toEqual(expected);
    expect(stage.entries.map(({ which }) => which)).toEqual(["outcome"]);
    expect(record).toMatchObject({ outcome, error, intent: 0n, arguments: '{"path":"a"}' });
    expect(stage.sent).toEqual([]);
    const isCharged = mode !== "forbidden" && stage.exhausted === "";
    expect(stage.steps.filter((step) => step === "give back" || step === "settle")).toEqual(
      isCharged ? ["give back"] : [],
    );
  });
}

for (const mode of ["consent", "stepUp"] as const) {
  for (const said of ["denied", "timedOut"] as const) {
    test(`${mode} that was ${said} is not asked again in the turn; the next turn may ask`, async () => {
      const stage = staged(mode, { said: [said, "granted"] });
      stage.gate.beginTurn();
      const first = await propose(stage);
      expect([(await propose(stage)).outcome, stage.questions.length]).toEqual([first.outcome, 1]);
      expect(callIn(stage.entries[1]).decision).toBe(mode === "consent" ? "denied" : "stepUpFailed");
      stage.gate.beginTurn();
      expect((await propose(stage)).outcome).toBe("ok");
    });
  }

  test(`${mode} of which the question was stopped may be asked again`, async () => {
    const stage = staged(mode, { said: ["cancelled", "granted"] });
    stage.gate.beginTurn();
    expect([(await propose(stage)).outcome, (await propose(stage)).outcome]).toEqual(["cancelled", "ok"]);
  });

  test(`${mode} that was denied for some arguments is asked for others`, async () => {
    const stage = staged(mode, { said: ["denied", "granted"] });
    stage.gate.beginTurn();
    await propose(stage);
    expect((await propose(stage, { ...CALL, arguments: '{"path":"b"}' })).outcome).toBe("ok");
  });
}

for (const mode of ["consent", "stepUp"] as const) {
  test(`${mode}: a tool that was denied three times is not asked about again in the turn, however the call is worded`, async () => {
    const stage = staged(mode, { said: ["denied", "timedOut", "denied", "granted", "granted"], tables: TWO_TOOLS });
    stage.gate.beginTurn();
    const write = (path: string, name = "notes.write") =>
      propose(stage, { ...CALL, name, arguments: JSON.stringify({ path }) });
    for (const path of ["a", "b", "c"]) await write(path);
    expect(await write("d")).toMatchObject({
      outcome: mode === "consent" ? "deniedByUser" : "stepUpFailed",
      error: "notes.write was denied 3 times in this turn; nobody is asked about it again before the next",
    });
    expect([stage.questions.length, stage.steps.filter((step) => step.startsWith("reserve")).length]).toEqual([3, 3]);
    expect(callIn(stage.entries.at(-1)).decision).toBe(mode === "consent" ? "denied" : "stepUpFailed");
    expect((await write("d", "notes.zip")).outcome).toBe("ok");
    stage.gate.beginTurn();
    expect((await write("d")).outcome).toBe("ok");
  });
}

test("what runs without a question runs also after three denials", async () => {
  const decisions = [{ clauses: [where([check("path", "equal", "free")], "auto", "consent")], floors: [] }];
  const stage = new Stage({ said: ["denied", "denied", "denied"], tables: { decisions } });
  stage.gate.beginTurn();
  for (const path of ["a", "b", "c"]) await propose(stage, { ...CALL, arguments: JSON.stringify({ path }) });
  expect((await propose(stage, { ...CALL, arguments: '{"path":"free"}' })).outcome).toBe("ok");
});

test("no more than twelve questions are asked in a turn, and the next has its own", async () => {
  const said = Array<"granted">(14).fill("granted");
  const stage = staged("consent", { said });
  stage.gate.beginTurn();
  for (let count = 0; count < 12; count += 1) expect((await propose(stage)).outcome).toBe("ok");
  expect(await propose(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "12 questions were asked in this turn; a page may set another number",
  });
  expect(stage.questions).toHaveLength(12);
  expect((await propose(stage, { ...CALL, name: "notes.none" })).outcome).toBe("unknownTool");
  stage.gate.beginTurn();
  expect((await propose(stage)).outcome).toBe("ok");
});

test("a page's own number of prompts per turn stands instead; one of another scope does not", async () => {
  for (const [scope, asked] of [
    ["turn", 14],
    ["hour", 12],
  ] as const) {
    const quotas = [{ amount: 100n, unit: "prompts", name: "", scope, rule: 0 }] as const;
    const rows = [row("operator", [2], { quotas })];
    const stage = staged("consent", { said: Array<"granted">(14).fill("granted"), tables: { rows } });
    stage.gate.beginTurn();
    for (let count = 0; count < 14; count += 1) await propose(stage);
    expect([scope, stage.questions.length]).toEqual([scope, asked]);
  }
});

test("a bad proof may be tried again", async () => {
  const stage = staged("stepUp", { said: ["granted", "granted"] });
  stage.principal = "";
  stage.gate.beginTurn();
  expect((await propose(stage)).outcome).toBe("stepUpFailed");
  stage.principal = "alice";
  expect((await propose(stage)).outcome).toBe("ok");
});

test("where the broker or the audit is gone nothing runs, nobody is asked, and the reason says which", async () => {
  for (const mode of ["auto", "consent", "stepUp"] as const) {
    for (const name of ["broker", "audit"] as const) {
      const stage = staged(mode, { said: ["granted"], tables: reading });
      stage[name].close();
      expect(await direct(stage)).toMatchObject({
        outcome: "refusedByPolicy",
        error: `the ${name} does not answer: this side closed the connection`,
      });
      expect([stage.sent, stage.questions]).toEqual([[], []]);
    }
  }
});

for (const [what, field, asked] of [
  ["before the challenge", "challengeFault", 0],
  ["between the challenge and the proof", "principal", 1],
] as const) {
  test(`a broker that goes ${what} leaves nobody proved`, async () => {
    const stage = staged("stepUp", { said: ["granted"] });
    Object.defineProperty(stage, field, { get: () => stage.broker.close() });
    expect(await direct(stage)).toMatchObject({
      outcome: "refusedByPolicy",
      error: "the broker does not answer: this side closed the connection",
    });
    expect([stage.sent.length, stage.questions.length]).toEqual([0, asked]);
  });
}

test("without a durable audit only what reads and asks nobody runs, and nobody is asked about the rest", async () => {
  for (const [mode, tables, expected] of [
    ["auto", reading, "ok"],
    ["auto", {}, "refusedByPolicy"],
    ["consent", reading, "refusedByPolicy"],
    ["stepUp", reading, "refusedByPolicy"],
  ] as const) {
    const stage = staged(mode, { said: ["granted"], tables });
    stage.isDurable = false;
    const { outcome, error } = await direct(stage);
    expect([mode, outcome]).toEqual([mode, expected]);
    if (outcome !== "ok") expect(error).toBe("nothing is recorded durably, so only reading that asks nobody may run");
    expect(stage.questions).toEqual([]);
    expect(stage.steps).toEqual(outcome === "ok" ? ["reserve notes.write in 1 with 0", "send", "settle"] : []);
  }
});

test("where there is a disk and its log takes no more nothing runs, nobody is asked, and the refusal is offered to the log", async () => {
  for (const mode of ["auto", "consent", "stepUp"] as const) {
    const stage = staged(mode, { said: ["granted"], tables: reading });
    stage.refusal = "the disk is full";
    expect(await direct(stage)).toMatchObject({
      outcome: "refusedByPolicy",
      error: "nothing can be recorded, so nothing may run: the disk is full",
    });
    expect([stage.steps, stage.questions]).toEqual([["outcome"], []]);
    expect(callIn(stage.entries[0])).toMatchObject({ decision: "notReached", intent: 0n });
  }
});

test("who lets arguments out by a release is told so, beside the whole of them", async () => {
  const release = { tools: [0], act: "declassify", from: SECRET, to: PUBLIC, gate: "consent", rule: 1 } as const;
  const tables = {
    tools: [tool("notes.write", { sink: PUBLIC })],
    rows: [row("operator", [2], { starts: SECRET, releases: [0] })],
    releases: [release],
  };
  const stage = staged("auto", { said: ["granted"], tables });
  const path = "x".repeat(64);
  const args = JSON.stringify({ path });
  expect((await direct(stage, { ...CALL, arguments: args })).outcome).toBe("ok");
  expect(stage.questions).toMatchObject([
    {
      arguments: args,
      mode: "consent",
      rule: "the second line (a.cap:2:1)",
      sentence: expect.stringMatching(/^notes\.write: path of 64 bytes; .*released by "the second line"$/),
    },
  ]);
});

test("an audit that records under other tables has no call to record", async () => {
  const stage = staged("auto", { tables: reading });
  stage.auditsDigest = new Uint8Array(32);
  expect(await direct(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "the audit records under other tables than those that decide here",
  });
  expect(stage.steps).toEqual(["outcome"]);
});

test("an audit that refuses the intent keeps the call from running, reading or not", async () => {
  const stage = staged("auto", { tables: reading });
  stage.refuses = "intents";
  expect(await direct(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "the audit does not record the call: the disk refused the record",
  });
  expect([stage.sent, stage.steps.at(-1)]).toEqual([[], "give back"]);
});

test("what ran and is not on record is withheld, and stays charged", async () => {
  const stage = staged("auto", { serve: answering('{"secret":"x"}') });
  stage.refuses = "outcomes";
  expect(await direct(stage)).toEqual({
    callId: "1",
    outcome: "refusedByPolicy",
    content: "",
    error: "it ran, and what came of it could not be recorded: the disk refused the record",
  });
  expect(stage.steps.slice(-2)).toEqual(["send", "settle"]);
});

test("the record says everything that the gate knows, and of a model's call which inference proposed it", async () => {
  const stage = staged("auto", { serve: answering('{"b":1, "a":2}') });
  stage.gate.beginTurn();
  const { nonce, turn, snapshot, tools } = stage.described();
  const result = await stage.gate.invoke("main", turn, snapshot, { ...CALL, arguments: ' {"path" : "a"}' }, never);
  expect(result.content).toBe('{"a":2,"b":1}');
  const [intent, outcome] = stage.entries.map(callIn);
  const common = { session: "operator", principal: "", conversation: "main", turn: 1, callId: "1", gateway: "" };
  const origin = { model: "stub:sha256-0", backend: "canned", nonce: new Uint8Array(nonce), runner: "capos-side" };
  const decided = { descriptor: tools[0], arguments: '{"path":"a"}', decision: "auto", rule: "0", error: "" };
  expect(intent).toMatchObject({ ...common, ...origin, ...decided, intent: 0n });
  expect(intent?.resultHash).toHaveLength(0);
  expect(outcome).toMatchObject({ ...common, ...origin, ...decided, intent: 1n, outcome: "ok" });
  // echo -n '{"a":2,"b":1}' | sha256sum
  expect(Buffer.from(outcome?.resultHash ?? []).toString("hex")).toBe(
    "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772",
  );
});

test("a person's own call has no model and no inference", async () => {
  const stage = staged("auto");
  await direct(stage);
  expect(callIn(stage.entries[0])).toMatchObject({ model: "", backend: "", runner: "person", conversation: "main" });
  expect(callIn(stage.entries[0]).nonce).toHaveLength(0);
});

test("arguments that were never made canonical are recorded as received, and cut", async () => {
  const stage = staged("auto");
  const long = "x".repeat(5000);
  for (const call of [
    { ...CALL, name: "notes.burn", arguments: long },
    { ...CALL, arguments: `{${long}` },
  ]) {
    await direct(stage, call);
    const record = callIn(stage.entries.at(-1));
    expect(record.arguments.length).toBeLessThan(4200);
    expect(record.arguments).toMatch(/x \[cut: \d+ more bytes\] sha256 [0-9a-f]{64}$/);
    expect(record).toMatchObject({ decision: "notReached", rule: "" });
  }
  expect(callIn(stage.entries[0]).descriptor).toEqual({
    name: "notes.burn",
    description: "",
    interfaceId: 0n,
    methodName: "",
    paramSchema: "",
    permission: "forbidden",
    category: "",
  });
});

test("arguments are recorded canonical as soon as the mode was asked for, and as received before", async () => {
  const spaced = ' { "path" : "a" } ';
  const forbidden = staged("forbidden");
  await direct(forbidden, { ...CALL, arguments: spaced });
  expect(callIn(forbidden.entries[0]).arguments).toBe('{"path":"a"}');
  const misfit = staged("auto");
  await direct(misfit, { ...CALL, arguments: ' { "path" : 1 } ' });
  expect(callIn(misfit.entries[0]).arguments).toBe(' { "path" : 1 } ');
});

test("a result above the clearance is recorded as what ran and was withheld", async () => {
  const rows = [row("operator", [2], { clearance: PUBLIC })];
  const tools = [tool("notes.write", { readOnly: true, result: { low: PUBLIC, high: SECRET } })];
  const stage = staged("auto", { tables: { rows, tools } });
  expect(await direct(stage)).toMatchObject({ outcome: "refusedByPolicy", content: "" });
  expect(callIn(stage.entries[1])).toMatchObject({ intent: 1n, outcome: "refusedByPolicy", decision: "auto" });
  expect(stage.steps.at(-1)).toBe("settle");
});

test("a service that was revoked is not asked, charged or recorded as begun", async () => {
  const stage = staged("auto");
  stage.gate.revoke("notes");
  expect(await direct(stage)).toMatchObject({ outcome: "refusedByPolicy", error: "notes was revoked" });
  expect(stage.steps).toEqual(["session", "outcome"]);
  expect(stage.entries[0]).toEqual({
    which: "session",
    session: { name: "operator", event: "revoked", detail: "notes" },
  });
});

test("arguments stand whole in the intent alone: what is refused, and what is told of the end, is cut and has their digest", async () => {
  const path = "a".repeat(10_000);
  const args = JSON.stringify({ path });
  const digest = createHash("sha256").update(args).digest("hex");
  const params = [{ name: "path", type: { which: "text", text: { maxBytes: 20_000 } }, required: true }] as const;
  const tools = { tables: { tools: [tool("notes.write", { params })] } };
  const ran = staged("auto", tools);
  await direct(ran, { ...CALL, arguments: args });
  expect(callIn(ran.entries[0]).arguments).toBe(args);
  expect(callIn(ran.entries[1]).arguments).toMatch(new RegExp(`sha256 ${digest}$`));
  const refused = staged("forbidden", tools);
  await direct(refused, { ...CALL, arguments: args });
  expect(callIn(refused.entries[0]).arguments.length).toBeLessThan(4200);
  expect(callIn(refused.entries[0]).arguments).toMatch(new RegExp(`sha256 ${digest}$`));
  const longest = JSON.stringify({ path: "a".repeat(4096 - '{"path":""}'.length) });
  await direct(refused, { ...CALL, arguments: longest });
  expect(callIn(refused.entries[1]).arguments).toBe(longest);
});
