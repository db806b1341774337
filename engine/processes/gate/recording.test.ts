// Tests a gate without an audit, and the records of a gate with an audit.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { tool } from "../../lib/policy/testing/sample.ts";
import { Recording } from "./recording.ts";
import { CALL, callIn, direct, never, reading, staged } from "./testing/calls.ts";
import { answering } from "./testing/stage.ts";

test("without the broker or the audit, no call runs and no person is asked; the reason names the missing process", async () => {
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
  test(`a broker that disconnects ${what} does not verify the step-up`, async () => {
    const stage = staged("stepUp", { said: ["granted"] });
    Object.defineProperty(stage, field, { get: () => stage.broker.close() });
    expect(await direct(stage)).toMatchObject({
      outcome: "refusedByPolicy",
      error: "the broker does not answer: this side closed the connection",
    });
    expect([stage.sent.length, stage.questions.length]).toEqual([0, asked]);
  });
}

test("without a durable audit, a call runs only if it reads and needs no question; no person is asked about any call", async () => {
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
    expect(stage.steps).toEqual(outcome === "ok" ? ["reserve notes.write in 1 with 0", "send"] : []);
  }
});

test("if the audit log on the disk is full, no call runs and no person is asked, and the refusal is still sent to the audit", async () => {
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

test("does not run a call if the audit records the digest of other tables", async () => {
  const stage = staged("auto", { tables: reading });
  stage.auditsDigest = new Uint8Array(32);
  expect(await direct(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "the audit records under other tables than those that decide here",
  });
  expect(stage.steps).toEqual(["outcome"]);
});

test("does not run a call whose intent the audit refuses", async () => {
  const stage = staged("auto");
  stage.refuses = "intents";
  expect(await direct(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "the audit does not record the call: the disk refused the record",
  });
  expect([stage.sent, stage.steps.at(-1)]).toEqual([[], "give back"]);
});

test("a result that cannot be recorded is withheld, and its call stays charged", async () => {
  const stage = staged("auto", { serve: answering('{"secret":"x"}') });
  stage.refuses = "outcomes";
  expect(await direct(stage)).toEqual({
    callId: "1",
    outcome: "refusedByPolicy",
    content: "",
    error: "it ran, and what came of it could not be recorded: the disk refused the record",
  });
  expect(stage.steps.slice(-2)).toEqual(["intent", "send"]);
});

test("the result of a read that cannot be recorded is withheld, and no call runs until the audit records again", async () => {
  const stage = staged("auto", { tables: reading });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  stage.refuses = "outcomes";
  stage.refusal = "the disk is full";
  expect(await direct(stage)).toMatchObject({
    outcome: "refusedByPolicy",
    error: "it ran, and what came of it could not be recorded: the disk refused the record",
  });
  const { length } = stage.sent;
  expect((await direct(stage)).error).toBe("nothing can be recorded, so nothing may run: the disk is full");
  expect(stage.sent.length).toBe(length);
});

test("if the connection to the audit has ended, the gate asks the audit for its status before it sends the next read", async () => {
  const stage = staged("auto", { tables: reading });
  await direct(stage);
  stage.audit.close();
  await stage.audit.closed;
  expect((await direct(stage)).error).toBe("the audit does not answer: this side closed the connection");
  expect(stage.sent).toHaveLength(1);
});

test("waits for the end of each connection to the audit only once, however often it asks the audit", async () => {
  const policyDigest = new Uint8Array(32);
  const status = { durable: true, refusal: "", policyDigest };
  let asked = 0;
  let waits = 0;
  let end = (): void => {};
  const connected = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    end = resolve;
    return Object.assign(promise, {
      // biome-ignore lint/suspicious/noThenProperty: this `then` counts how often the connection's end is awaited
      then: (...handlers: Parameters<Promise<void>["then"]>) => {
        waits += 1;
        return Promise.prototype.then.apply(promise, handlers);
      },
    });
  };
  const audit = {
    call: async () => {
      asked += 1;
      return { ok: true, value: status } as never;
    },
    closed: connected() as never,
  };
  const recording = new Recording({ audit, policyDigest });
  for (let count = 0; count < 3; count += 1) await recording.canRecord();
  expect([asked, waits]).toEqual([3, 1]);
  for (const connection of [2, 3]) {
    end();
    await new Promise(setImmediate);
    audit.closed = connected() as never;
    expect(recording.known).toBeUndefined();
    await recording.canRecord();
    expect(recording.known).toEqual({ ok: true, value: true });
    expect([asked, waits]).toEqual([connection + 2, connection]);
  }
});

test("a later call without a question relies on the audit's first status, but is refused if its record names other tables", async () => {
  for (const tables of [reading, {}]) {
    const stage = staged("auto", { tables });
    expect(await direct(stage)).toMatchObject({ outcome: "ok" });
    const { length } = stage.sent;
    stage.auditsDigest = new Uint8Array(32);
    const { outcome, error } = await direct(stage);
    expect([outcome, error]).toEqual([
      "refusedByPolicy",
      expect.stringMatching("the audit records under other tables"),
    ]);
    expect(stage.sent.length).toBe(tables === reading ? length + 1 : length);
    expect((await direct(stage)).error).toBe("the audit records under other tables than those that decide here");
  }
});

test("records all facts that the gate has about a call, including which inference proposed the call", async () => {
  const stage = staged("auto", { serve: answering('{"b":1, "a":2}') });
  stage.gate.session.beginTurn();
  const { nonce, turn, snapshot, tools } = await stage.described();
  const result = await stage.gate.loopCalls.invoke(
    { conversation: "main", turn, snapshot, call: { ...CALL, arguments: ' {"path" : "a"}' } },
    never,
  );
  expect(result.content).toBe('{"a":2,"b":1}');
  const [intent, outcome] = stage.entries.map(callIn);
  const common = { session: "operator", principal: "", conversation: "main", turn: 1, callId: "1", gateway: "" };
  const origin = { model: "stub:sha256-0", backend: "canned", nonce: new Uint8Array(nonce), runner: "capos-side" };
  const decided = { descriptor: tools[0], arguments: '{"path":"a"}', decision: "auto", rule: "0", error: "" };
  expect(intent).toMatchObject({ ...common, ...origin, ...decided, intent: 0n });
  expect(intent?.resultHash).toHaveLength(0);
  expect(outcome).toMatchObject({ ...common, ...origin, ...decided, intent: 1n, outcome: "ok" });
  // To compute this digest: echo -n '{"a":2,"b":1}' | sha256sum
  expect(Buffer.from(outcome?.resultHash ?? []).toString("hex")).toBe(
    "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772",
  );
});

test.each([
  ["consent", "granted", "consented", 2],
  ["stepUp", "granted", "stepUpSucceeded", 2],
  ["consent", "denied", "denied", 1],
  ["stepUp", "timedOut", "stepUpFailed", 1],
] as const)(
  "a %s question that was %s is recorded with the process that asked, and with the time of the answer",
  async (mode, said, decision, count) => {
    const stage = staged(mode, { said: [said] });
    stage.askedMs = 3400;
    await direct(stage);
    const records = stage.entries.map(callIn);
    const common = { decision, surface: "console", askedMs: 3400 };
    expect(records).toMatchObject(Array.from({ length: count }, () => common));
  },
);

test("a call that nobody was asked about is recorded without a process that asked", async () => {
  for (const stage of [staged("auto"), staged("consent", { said: [] })]) {
    await direct(stage);
    for (const record of stage.entries.map(callIn)) expect(record).toMatchObject({ surface: "", askedMs: 0 });
    expect(stage.entries.length).toBeGreaterThan(0);
  }
});

test("the record of a typed call names no model and no inference", async () => {
  const stage = staged("auto");
  await direct(stage);
  expect(callIn(stage.entries[0])).toMatchObject({ model: "", backend: "", runner: "person", conversation: "main" });
  expect(callIn(stage.entries[0]).nonce).toHaveLength(0);
});

test("if arguments were never made canonical, the record contains a short form of them as they arrived", async () => {
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

test("records canonical arguments if the mode was decided, otherwise the arguments as they arrived", async () => {
  const spaced = ' { "path" : "a" } ';
  const forbidden = staged("forbidden");
  await direct(forbidden, { ...CALL, arguments: spaced });
  expect(callIn(forbidden.entries[0]).arguments).toBe('{"path":"a"}');
  const misfit = staged("auto");
  await direct(misfit, { ...CALL, arguments: ' { "path" : 1 } ' });
  expect(callIn(misfit.entries[0]).arguments).toBe(' { "path" : 1 } ');
});

test("only the intent contains the whole arguments; a refusal and an outcome contain a short form of them with their digest", async () => {
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
