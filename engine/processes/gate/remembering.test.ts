// Tests consents that cover more than one call: when they are offered, what runs under them, and how they end.
import { expect, test } from "vitest";
import { always, CATEGORY, check, PUBLIC, row, SECRET, tool, where } from "../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import type { Answer } from "../../lib/wire/generated/wire.ts";
import { answerCommand, type CommandParts } from "./commands/index.ts";
import { CALL, callIn, direct, never, propose, staged } from "./testing/calls.ts";
import type { Serve, Stage } from "./testing/stage.ts";

const REMEMBERING = { rows: [row("operator", [2], { remember: "conversation" })] };

function remembering(said: readonly Answer[], tables: Partial<PolicyTables> = {}, serve?: Serve): Stage {
  const stage = staged("consent", { said, tables: { ...REMEMBERING, ...tables }, ...(serve && { serve }) });
  stage.gate.session.beginTurn();
  return stage;
}

function say(stage: Stage, name: string, argument = "") {
  const parts: CommandParts = { gate: stage.gate, held: new Map(), supervisor: stage.broker };
  return answerCommand(parts, name, argument, never);
}

test("asks once for a remembered consent; later calls charge no prompt, and each record names the consent", async () => {
  const stage = remembering(["grantedForConversation"]);
  expect([(await propose(stage)).outcome, (await propose(stage)).outcome]).toEqual(["ok", "ok"]);
  expect(stage.questions.map(({ remembers }) => remembers)).toEqual([
    "every notes.write, whatever its arguments, in this conversation while it is at public/reviewed, for an hour at most",
  ]);
  expect(stage.steps.filter((step) => step.startsWith("reserve"))).toEqual([
    "reserve notes.write in 1 with 1",
    "reserve notes.write in 1 with 0",
  ]);
  expect(stage.entries.map(callIn).map(({ decision, consent }) => [decision, consent])).toEqual([
    ["consented", 1],
    ["consented", 1],
    ["remembered", 1],
    ["remembered", 1],
  ]);
});

test("asks again if the consent was for one call only, or if the broker did not store the consent", async () => {
  const once = remembering(["granted", "granted"]);
  const unkept = remembering(["grantedForConversation", "granted"]);
  unkept.remembers = false;
  for (const stage of [once, unkept]) {
    await propose(stage);
    await propose(stage);
    expect([stage.questions.length, stage.sent.length]).toEqual([2, 2]);
    expect(stage.entries.map(callIn).map(({ consent }) => consent)).toEqual([0, 0, 0, 0]);
  }
});

test("a remembered consent that could not be recorded does not apply, and the next call asks", async () => {
  const stage = remembering(["grantedForConversation", "granted"]);
  stage.refuses = "intents";
  expect(await propose(stage)).toMatchObject({ outcome: "refusedByPolicy" });
  stage.refuses = "nothing";
  expect(await propose(stage)).toMatchObject({ outcome: "ok" });
  expect([stage.questions.length, stage.sent.length, stage.consents]).toEqual([2, 1, []]);
});

test("a recorded consent stays, even if a call under it is not recorded", async () => {
  const stage = remembering(["grantedForConversation"]);
  await propose(stage);
  stage.refuses = "intents";
  expect(await propose(stage)).toMatchObject({ outcome: "refusedByPolicy" });
  stage.refuses = "nothing";
  expect(await propose(stage)).toMatchObject({ outcome: "ok" });
  expect([stage.questions.length, stage.sent.length, stage.consents.length]).toEqual([1, 2, 1]);
});

test("if the page excludes remembered consent, the question does not offer it, and an answer that asks for it is refused", async () => {
  const cases: readonly Partial<PolicyTables>[] = [
    { rows: [row("operator", [2])] },
    { tools: [tool("notes.write", { networked: true })] },
    { tools: [tool("notes.write", { category: CATEGORY.destructive })] },
    { tools: [tool("notes.write", { category: CATEGORY.payments })] },
    { decisions: [{ clauses: [where([check("none", "equal", "a")], "auto", "consent")], floors: [] }] },
  ];
  for (const tables of cases) {
    const stage = staged("consent", {
      said: ["grantedForConversation", "granted"],
      tables: { ...REMEMBERING, ...tables },
    });
    expect([(await direct(stage)).outcome, (await direct(stage)).outcome]).toEqual(["refusedByPolicy", "ok"]);
    expect(stage.questions.map(({ mayRemember, remembers }) => [mayRemember, remembers])).toEqual([
      [false, ""],
      [false, ""],
    ]);
    expect(stage.steps).not.toContain("remember");
  }
});

test("step-up is never remembered, whatever the answer contains", async () => {
  const stage = staged("stepUp", { said: ["grantedForConversation", "granted"], tables: REMEMBERING });
  expect((await direct(stage)).outcome).toBe("refusedByPolicy");
  expect((await direct(stage)).outcome).toBe("ok");
  expect([stage.questions.map(({ remembers }) => remembers), stage.steps.includes("remember")]).toEqual([
    ["", ""],
    false,
  ]);
});

test("a remembered consent covers only arguments that meet the same conditions, and the question states these conditions", async () => {
  const conditions = [check("path", "under", "/drafts"), check("path", "notEqual", "/drafts/x")];
  const stage = remembering(["grantedForConversation", "grantedForConversation"], {
    decisions: [{ clauses: [where(conditions, "consent", "consent"), always("consent")], floors: [] }],
  });
  for (const path of ["/drafts/a", "/drafts/b", "/else/a", "/else/b", "/drafts/x"]) {
    await propose(stage, { ...CALL, arguments: JSON.stringify({ path }) });
  }
  const during = ", in this conversation while it is at public/reviewed, for an hour at most";
  expect(stage.questions.map(({ remembers }) => remembers)).toEqual([
    `every notes.write where path under "/drafts" and path != "/drafts/x"${during}`,
    `every notes.write where not (path under "/drafts" and path != "/drafts/x")${during}`,
  ]);
});

test("describes conditions as the page writes them, whatever they compare", async () => {
  const size = { ...check("path", "lessOrEqual", 9), term: "size" } as const;
  const stage = remembering(["granted"], {
    decisions: [{ clauses: [where([check("path", "in", "a", "b"), size], "consent", "consent")], floors: [] }],
  });
  await propose(stage);
  expect(stage.questions[0]?.remembers).toContain('where path in ["a", "b"] and size(path) <= 9, in this');
});

test("a denial applies for the turn, even if a similar call was approved in the meantime", async () => {
  const stage = remembering(["denied", "grantedForConversation"]);
  await propose(stage);
  expect((await propose(stage, { ...CALL, arguments: '{"path":"b"}' })).outcome).toBe("ok");
  expect((await propose(stage)).outcome).toBe("deniedByUser");
  stage.gate.session.beginTurn();
  expect((await propose(stage)).outcome).toBe("ok");
  expect(stage.questions.length).toBe(2);
});

test("after the label of the conversation has risen, asks again, for a consent at the new label", async () => {
  const stage = remembering(["grantedForConversation", "grantedForConversation"], {
    tools: [tool("notes.write", { result: { low: PUBLIC, high: SECRET } })],
    ...REMEMBERING,
  });
  await propose(stage);
  await propose(stage);
  await propose(stage);
  expect(stage.questions.map(({ remembers }) => /at (\S+),/.exec(remembers)?.[1])).toEqual([
    "public/reviewed",
    "secret/reviewed",
  ]);
});

test("/grants lists remembered consents with the time left, and /revoke revokes one or all", async () => {
  const stage = remembering(["grantedForConversation", "grantedForConversation", "granted"]);
  expect(await say(stage, "grants")).toEqual(["notes: write consent", "no consent is remembered"]);
  await propose(stage);
  const line =
    "consent 1: every notes.write, whatever its arguments, in this conversation while it is at public/reviewed";
  expect((await say(stage, "grants"))[1]).toBe(`${line}, for an hour at most; 2 min are left`);
  expect(await say(stage, "revoke", "7")).toEqual(["there is no consent 7"]);
  expect(await say(stage, "revoke", "1")).toEqual(["consent 1 is taken back"]);
  await propose(stage);
  expect(await say(stage, "revoke", "all")).toEqual(["consent 1 is taken back"]);
  expect(await say(stage, "revoke", "all")).toEqual(["no consent is remembered"]);
  await propose(stage);
  expect(stage.questions.length).toBe(3);
  const events = stage.entries.flatMap((entry) => (entry.which === "session" ? [entry.session] : []));
  expect(events.map(({ event, detail }) => [event, detail])).toEqual([
    ["consent taken back", "1"],
    ["consent taken back", "1"],
  ]);
});

test("without the broker no consent counts as revoked, and no call runs", async () => {
  const stage = remembering(["grantedForConversation"]);
  await propose(stage);
  stage.broker.close();
  expect(await say(stage, "revoke", "1")).toEqual(["nothing could be taken back: this side closed the connection"]);
  expect((await say(stage, "grants"))[1]).toMatch(/^which consents are remembered is not known/);
  expect((await direct(stage)).outcome).toBe("refusedByPolicy");
  expect(stage.sent.length).toBe(1);
});

test("without the broker's reply about a consent, no question is asked, and no call is charged or run", async () => {
  const stage = remembering(["granted"]);
  stage.unanswered.add("recall");
  expect(await propose(stage)).toMatchObject({
    ...{ outcome: "refusedByPolicy", error: "the broker does not answer: no answer came in time" },
  });
  expect([stage.questions, stage.sent, stage.steps]).toEqual([[], [], ["outcome"]]);
});

test("a consent that the broker does not confirm covers only one call", async () => {
  const stage = remembering(["grantedForConversation", "granted"]);
  stage.unanswered.add("remember");
  expect([(await propose(stage)).outcome, (await propose(stage)).outcome]).toEqual(["ok", "ok"]);
  expect(stage.questions).toHaveLength(2);
});

/** A service that answers only when its call is cancelled. */
const waiting: Serve = (_, { signal }) =>
  new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve({ ok: false, code: "cancelled", reason: "not wanted" }));
  });

for (const [what, taken, words] of [
  ["its consent", "all", "consent 1 was taken back"],
  ["its service", "notes", "notes was revoked"],
] as const) {
  test(`a running call ends when ${what} is revoked, and its record says why`, async () => {
    const stage = remembering(["grantedForConversation"], {}, waiting);
    const sent = stage.until("send");
    const running = propose(stage);
    await sent;
    await say(stage, "revoke", taken);
    expect(await running).toMatchObject({ outcome: "cancelled", error: words });
    const ends = stage.entries.flatMap((entry) => (entry.which === "outcome" ? [entry.outcome] : []));
    expect(ends).toMatchObject([{ outcome: "cancelled", error: words, decision: "consented", intent: 1n }]);
  });
}

test.each([
  ["covers the call", "recall", 1],
  ["is kept", "remember", 0],
] as const)(
  "does not send a call if its consent is revoked before the broker replies that the consent %s",
  async (_, method, before) => {
    const stage = remembering(["grantedForConversation"]);
    for (let call = 0; call < before; call += 1) await propose(stage);
    const onItsWay = stage.holdBack(method);
    const running = propose(stage);
    const arrive = await onItsWay;
    expect(await say(stage, "revoke", "all")).toEqual(["consent 1 is taken back"]);
    arrive();
    expect(await running).toMatchObject({ outcome: "refusedByPolicy", error: "consent 1 was taken back" });
    expect(stage.sent.length).toBe(before);
  },
);

test("revoking another service or consent does not end a running call", async () => {
  const stage = remembering(["granted"], {}, waiting);
  const sent = stage.until("send");
  const running = propose(stage);
  await sent;
  stage.gate.calls.withdraw([0, 1]);
  stage.gate.calls.revoke("other");
  stage.gate.interrupt();
  expect(await running).toMatchObject({ outcome: "cancelled", error: "the person stopped the turn" });
});

test("does not send an approved call whose service was revoked during the question", async () => {
  const stage = remembering(["granted"]);
  const asked = stage.until("ask");
  const running = propose(stage);
  await asked;
  stage.gate.calls.revoke("notes");
  expect(await running).toMatchObject({ outcome: "refusedByPolicy", error: "notes was revoked" });
  expect(stage.sent).toEqual([]);
});
