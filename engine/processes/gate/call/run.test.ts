import { expect, test } from "vitest";
import { PUBLIC, row, SECRET, tool } from "../../../lib/policy/testing/sample.ts";
import { CALL, callIn, direct, reading, staged } from "../testing/calls.ts";
import type { Stage } from "../testing/stage.ts";

test("auto: charges, records the intent, sends, records the outcome, then answers; the next call settles the charge", async () => {
  const stage = staged("auto");
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  const steps = ["reserve notes.write in 1 with 0", "intent", "send", "outcome"];
  expect(stage.steps).toEqual(steps);
  await direct(stage);
  await direct(stage);
  expect(stage.steps.slice(4, 6)).toEqual(["settle", "reserve notes.write in 2 with 0"]);
  expect(stage.steps.filter((step) => step === "settle").length).toBe(2);
});

test("auto, for a local read: writes one complete record before it returns the result", async () => {
  const stage = staged("auto", { tables: reading });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  expect(stage.steps).toEqual(["reserve notes.write in 1 with 0", "send", "outcome"]);
  expect(callIn(stage.entries[0])).toMatchObject({ intent: 0n, sent: true, decision: "auto", outcome: "ok" });
  expect(stage.notices.map(({ stage: at }) => at)).toEqual(["finished"]);
});

test("a read from a program that the page brings is recorded before it is sent, and only its end is drawn", async () => {
  const stage = staged("auto", { tables: { tools: [tool("notes.write", { readOnly: true, pageProgram: true })] } });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  expect(stage.steps.slice(-3)).toEqual(["intent", "send", "outcome"]);
  expect(stage.entries.map((entry) => callIn(entry).sent)).toEqual([false, false]);
  expect(stage.notices.map(({ stage: at }) => at)).toEqual(["finished"]);
});

test("a read outside of the machine or behind a gate is recorded before it is sent", async () => {
  const abroad = staged("auto", { tables: { tools: [tool("notes.write", { readOnly: true, networked: true })] } });
  await direct(abroad);
  const asked = staged("consent", { tables: reading, said: ["granted"] });
  await direct(asked);
  for (const { steps, entries } of [abroad, asked]) {
    expect(steps.slice(-3)).toEqual(["intent", "send", "outcome"]);
    expect(entries.map((entry) => callIn(entry).sent)).toEqual([false, false]);
  }
  // Nobody was asked about the first call, so it has only the notice `finished`. A person approved the second call, and
  // sees it wait, run and end.
  expect(abroad.notices.map(({ stage }) => stage)).toEqual(["finished"]);
  expect(asked.notices.map(({ stage }) => stage)).toEqual(["waiting", "running", "finished"]);
});

test.each([
  ["only reads", reading],
  ["has an effect", {}],
])("a call that %s and needs no question is drawn as running once it takes long", async (_, tables) => {
  const served = Promise.withResolvers<void>();
  const stage = staged("auto", {
    tables,
    serve: async () => {
      await served.promise;
      return { ok: true, value: "{}" };
    },
  });
  const answer = direct(stage);
  await expect.poll(() => stage.notices.map(({ stage: at }) => at)).toEqual(["running"]);
  served.resolve();
  await answer;
  expect(stage.notices.map(({ stage: at }) => at)).toEqual(["running", "finished"]);
});

test("a person who approved a long call sees the call shortened afterwards; the call is recorded and sent in full", async () => {
  const params = [{ name: "path", type: { which: "text", text: { maxBytes: 0 } }, required: true }] as const;
  const long = staged("consent", { said: ["granted"], tables: { tools: [tool("notes.write", { params })] } });
  const whole = `{"path":"${"é".repeat(2000)}"}`;
  await direct(long, { ...CALL, arguments: whole });
  expect([long.sent, long.questions[0]?.arguments, callIn(long.entries[0]).arguments]).toEqual([
    ...[[whole], whole, whole],
  ]);
  for (const { arguments: drawn } of long.notices) {
    expect(drawn).toMatch(/^\{"path":"é+ \[cut: \d+ more bytes\]\}$/);
    expect(Buffer.byteLength(drawn)).toBeLessThan(550);
  }
  expect(long.notices.map(({ stage: at }) => at)).toEqual(["waiting", "running", "finished"]);
});

test("consent: charges the call and a prompt, asks, and then continues as auto does", async () => {
  const stage = staged("consent", { said: ["granted"] });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  expect(stage.steps).toEqual(["reserve notes.write in 1 with 1", "ask", "intent", "send", "outcome"]);
});

test("step-up: the signature is verified before the intent is recorded", async () => {
  const stage = staged("stepUp", { said: ["granted"] });
  expect(await direct(stage)).toMatchObject({ outcome: "ok" });
  const [first, ...rest] = ["reserve notes.write in 1 with 1", "challenge", "ask to sign", "prove signed"];
  expect(stage.steps).toEqual([first, ...rest, "intent", "send", "outcome"]);
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
    "the session has no key",
    "stepUp",
    { said: ["granted"] },
    (stage: Stage) => {
      stage.challengeFault = "no principal";
    },
    ["stepUpFailed", "stepUpFailed"],
  ],
  [
    "the proof is invalid",
    "stepUp",
    { said: ["granted"] },
    (stage: Stage) => {
      stage.principal = "";
    },
    ["stepUpFailed", "stepUpFailed"],
  ],
  [
    "the quota is exhausted",
    "auto",
    {},
    (stage: Stage) => {
      stage.exhausted = "1 calls per turn";
    },
    ["refusedByPolicy", "notReached"],
  ],
  ["it is forbidden", "forbidden", {}, () => {}, ["refusedByPolicy", "forbidden"]],
] as const) {
  test(`if ${what}, no call is sent, the charge is returned, and the refusal is recorded without an intent`, async () => {
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

test("if the result of a call is above the clearance, the record states that the call was sent and its result withheld", async () => {
  const rows = [row("operator", [2], { clearance: PUBLIC })];
  const tools = [tool("notes.write", { readOnly: true, result: { low: PUBLIC, high: SECRET } })];
  const stage = staged("auto", { tables: { rows, tools } });
  expect(await direct(stage)).toMatchObject({ outcome: "refusedByPolicy", content: "" });
  expect(stage.entries.map(callIn)).toMatchObject([{ sent: true, outcome: "refusedByPolicy", decision: "auto" }]);
  expect(stage.steps.slice(-2)).toEqual(["send", "outcome"]);
});

test("a call of a revoked service is neither charged nor recorded as an intent", async () => {
  const stage = staged("auto");
  stage.gate.calls.revoke("notes");
  expect(await direct(stage)).toMatchObject({ outcome: "refusedByPolicy", error: "notes was revoked" });
  expect(stage.steps).toEqual(["session", "outcome"]);
  expect(stage.entries[0]).toEqual({
    which: "session",
    session: { name: "operator", event: "revoked", detail: "notes", digest: new Uint8Array() },
  });
});
