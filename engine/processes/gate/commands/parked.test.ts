// Tests calls in an unattended session: in a task, a call that needs a person waits for one; elsewhere it is refused. A
// waiting call runs only after a person has resumed it and given the approval that its gate requires.
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tool } from "../../../lib/policy/testing/sample.ts";
import type { ToolResult } from "../../../lib/wire/generated/capos.ts";
import type { PolicyTables } from "../../../lib/wire/generated/policy.ts";
import { MAX_PARKED_BYTES, MOST_PARKED, PARKED_MS } from "../parking.ts";
import { callIn, never } from "../testing/calls.ts";
import { answering, Stage, type Surroundings } from "../testing/stage.ts";
import { answerCommand, type CommandParts } from "./index.ts";

const NOTHING_WAITS = ["no call waits for a person"];
const BACK = ["somebody is here again"];
const floor = { conditions: [], confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n };

/**
 * A page with a task. In its phase look, notes.read runs at once, and notes.write and notes.delete need a consent;
 * notes.sign needs a signature, and notes.delete is forbidden while unattended. In its phase mend there is only
 * notes.read.
 */
const PAGE: Partial<PolicyTables> = {
  tools: ["notes.delete", "notes.read", "notes.sign", "notes.write"].map((name) =>
    tool(name, { params: [{ name: "path", type: { which: "text", text: { maxBytes: 100_000 } }, required: true }] }),
  ),
  decisions: [
    { clauses: [always("auto")], floors: [] },
    { clauses: [always("consent", 1)], floors: [] },
    { clauses: [always("stepUp")], floors: [] },
    { clauses: [always("consent")], floors: [{ ...floor, unattended: true, mode: "forbidden", rule: 1 }] },
  ],
  rows: [
    row("operator", [5, 2, 4, 3]),
    row("operator", [5, 2, 4, 3], { task: "triage", phase: "look" }),
    row("operator", [0, 2, 0, 0], { task: "triage", phase: "mend", phaseIndex: 1 }),
  ],
};

function session(surroundings: Surroundings = {}) {
  const stage = new Stage({ ...surroundings, tables: { ...PAGE, ...surroundings.tables } });
  const parts: CommandParts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  const say = (name: string, argument = "") => answerCommand(parts, name, argument, never);
  const notes = () => stage.entries.flatMap((entry) => (entry.which === "session" ? [entry.session.event] : []));
  return { stage, say, notes };
}

/** Returns a session in the task's first phase, with no person present. */
async function left(surroundings: Surroundings = {}) {
  const opened = session(surroundings);
  await opened.say("task", "triage");
  await opened.say("away");
  opened.stage.gate.session.beginTurn();
  return opened;
}

/** Proposes a call as the loop would, from its newest list of tools. */
async function propose({ gate, ...stage }: Stage, name = "notes.write", path = "a"): Promise<ToolResult> {
  const described = await gate.offering.describe("main");
  if (!described.ok) throw new Error(`${described.reason} ${stage.steps.join()}`);
  const call = { id: "c1", name, arguments: `{ "path":"${path}" }` };
  return gate.loopCalls.invoke({ conversation: "main", ...described.value, call }, never);
}

const WAITS = "nobody is there to be asked: it waits for a person as number 1 (/parked)";
const HOW = "/parked N asks you about one of them, /parked drop N lets it go";
const LINE = '1: notes.write {"path":"a"}; turn 1 of main, asked for by the second line (a.cap:2:1); 24 h are left';

test("in a task, a call that needs an absent person waits: it is recorded, but not asked about, charged or run", async () => {
  const { stage, say } = await left();
  stage.steps.length = 0;
  expect(await propose(stage)).toEqual({ callId: "c1", outcome: "refusedByPolicy", content: "", error: WAITS });
  expect([stage.sent, stage.questions, stage.steps]).toEqual([[], [], ["outcome"]]);
  expect(callIn(stage.entries.at(-1))).toMatchObject({
    outcome: "refusedByPolicy",
    decision: "notReached",
    error: WAITS,
  });
  expect(stage.notices.at(-1)).toMatchObject({ stage: "finished", outcome: "refusedByPolicy", detail: WAITS });
  expect(await say("parked")).toEqual([LINE, HOW]);
  expect(await say("phase")).toEqual([
    "this conversation is in phase look of task triage; needs approval: 1 wait for a person, /parked",
    "later phases: mend",
  ]);
  expect(await propose(stage, "notes.read")).toMatchObject({ outcome: "ok" });
});

test("outside of a task, a call that needs an absent person is refused, and does not wait", async () => {
  const { stage, say } = session();
  expect(await say("away")).toEqual([
    "nobody is here from now on: what needs a person is refused, for there is no task to wait in",
  ]);
  stage.gate.session.beginTurn();
  expect(await propose(stage)).toMatchObject({ outcome: "refusedByPolicy", error: "nobody is there to be asked" });
  expect(await say("parked")).toEqual(NOTHING_WAITS);
});

test("a resumed call is asked about and runs once, and its record names the model that proposed it", async () => {
  const { stage, say, notes } = await left({ said: ["granted"], serve: answering('{"a":1}') });
  await propose(stage);
  const proposed = callIn(stage.entries.at(-1));
  expect(await say("back")).toEqual([...BACK, LINE, HOW]);
  expect(await say("parked", "1")).toEqual(['ok: {"a":1}']);
  expect(stage.sent).toEqual(['{"path":"a"}']);
  expect(stage.questions).toMatchObject([{ tool: "notes.write", mode: "consent" }]);
  const { nonce, model, runner } = proposed;
  expect(callIn(stage.entries.at(-1))).toMatchObject({
    callId: "c1",
    turn: 2,
    decision: "consented",
    nonce,
    model,
    runner,
  });
  expect(await say("parked", "1")).toEqual(["no call 1 waits"]);
  expect(await say("parked")).toEqual(NOTHING_WAITS);
  expect(stage.sent.length).toBe(1);
  expect(notes()).toEqual(["task", "away", "back", "parked call taken up"]);
});

test("a waiting call can be resumed without /back, and a denied call no longer waits", async () => {
  const { stage, say } = await left({ said: ["denied"] });
  await propose(stage);
  expect(await say("parked", "1")).toEqual(["deniedByUser: the person said no"]);
  expect([stage.sent, await say("parked")]).toEqual([[], NOTHING_WAITS]);
  stage.gate.session.beginTurn();
  expect((await propose(stage)).error).toBe(WAITS.replace("1", "2"));
});

test("a typed call asks its person, even if the person is marked as away", async () => {
  const { stage, say } = await left({ said: ["granted"] });
  expect(await say("tool", 'notes.write {"path":"a"}')).toEqual(["ok: {}"]);
  expect(stage.questions.length).toBe(1);
  stage.gate.session.beginTurn();
  expect((await propose(stage)).error).toBe(WAITS);
});

test("a call that needs a signature is signed when a person resumes the call, and not when it is proposed", async () => {
  const { stage, say } = await left({ said: ["granted"] });
  await propose(stage, "notes.sign");
  expect([stage.questions, stage.steps.includes("challenge")]).toEqual([[], false]);
  expect(await say("parked", "1")).toEqual(["ok: {}"]);
  expect(stage.steps).toContain("prove signed");
});

test("a resumed call is decided anew: it does not run in a later phase without its tool", async () => {
  const { stage, say } = await left({ said: ["granted", "granted"] });
  await propose(stage);
  await propose(stage, "notes.write", "b");
  expect(await say("phase", "mend")).toEqual([
    expect.stringMatching(/^this conversation is in phase mend/),
    "notes.read: auto",
  ]);
  expect((await say("parked", "2"))[0]).toMatch(/^unknownTool: /);
  expect([stage.sent, stage.questions]).toEqual([[], []]);
});

test("a resumed call is decided anew: it does not run if its service was revoked", async () => {
  const { stage, say } = await left({ said: ["granted"] });
  await propose(stage);
  stage.gate.calls.revoke("notes");
  expect(await say("parked", "1")).toEqual(["refusedByPolicy: notes was revoked"]);
  expect([stage.sent, stage.questions]).toEqual([[], []]);
});

test("a rule for unattended sessions decides before a call waits, and no longer applies when the person returns", async () => {
  const { stage, say } = await left({ said: ["granted"] });
  expect((await propose(stage, "notes.delete")).error).toMatch(/^forbidden in this session by "the second line"/);
  expect(await say("parked")).toEqual(NOTHING_WAITS);
  await say("back");
  stage.gate.session.beginTurn();
  expect(await propose(stage, "notes.delete")).toMatchObject({ outcome: "ok" });
});

test("a call under a remembered consent runs without a person present", async () => {
  const rows = (PAGE.rows ?? []).map((one) => ({ ...one, remember: "conversation" as const }));
  const { stage, say } = session({ tables: { rows }, said: ["grantedForConversation"] });
  await say("task", "triage");
  stage.gate.session.beginTurn();
  expect(await propose(stage)).toMatchObject({ outcome: "ok" });
  await say("away");
  expect(await propose(stage)).toMatchObject({ outcome: "ok" });
  expect([stage.questions.length, await say("parked")]).toEqual([1, NOTHING_WAITS]);
});

test("a model behind a gate answers without a person present only if a person opened the model before they left", async () => {
  const clearance = { ...SECRET, integrity: 0 };
  const rows = (PAGE.rows ?? []).map((one) => ({ ...one, backends: [{ backend: 0, mode: "consent" as const }] }));
  const { stage, say } = await left({
    tables: { rows, backends: [backend("canned", { clearance })] },
    said: ["granted"],
  });
  expect(await stage.gate.offering.describe("main")).toMatchObject({
    reason: expect.stringMatching(/^canned may not answer: nobody is there/),
  });
  expect([stage.questions, stage.answers]).toEqual([[], []]);
  // A backend that the person allowed before they left still answers, and gets the results.
  await say("back");
  await say("model", "canned");
  await say("away");
  expect(await propose(stage, "notes.read")).toMatchObject({ outcome: "ok" });
  expect(stage.questions.length).toBe(1);
});

test("an equal call waits only once, and the number and length of waiting calls are bounded", async () => {
  const { stage, say } = await left();
  expect((await propose(stage)).error).toBe(WAITS);
  expect((await propose(stage)).error).toBe(WAITS);
  expect((await propose(stage, "notes.write", "x".repeat(MAX_PARKED_BYTES))).error).toBe(
    "nobody is there to be asked: a call that waits has arguments of at most 64 KiB",
  );
  for (let index = 1; index < MOST_PARKED; index += 1) await propose(stage, "notes.write", `a${index}`);
  expect((await propose(stage, "notes.write", "one too many")).error).toMatch(/: 16 calls wait for a person already$/);
  expect((await say("parked")).length).toBe(MOST_PARKED + 1);
  expect([await say("parked", "drop 3"), await say("parked", "drop 3")]).toEqual([
    ["call 3 is dropped"],
    ["no call 3 waits"],
  ]);
  expect((await propose(stage, "notes.write", "one more")).error).toMatch(/as number 17 /);
  expect((await say("parked", "drop all")).length).toBe(MOST_PARKED);
  expect(await say("parked", "drop all")).toEqual(NOTHING_WAITS);
});

test("a waiting call expires after a day of the boot clock, and this is recorded", async () => {
  const { stage, say, notes } = await left({ said: ["granted"] });
  await propose(stage);
  stage.ms = PARKED_MS - 1;
  expect((await say("parked"))[0]).toMatch(/; 1 h are left$/);
  stage.ms = PARKED_MS;
  expect(await say("parked", "1")).toEqual(["no call 1 waits"]);
  expect([await say("parked"), stage.sent, stage.questions]).toEqual([NOTHING_WAITS, [], []]);
  expect(notes().filter((event) => event === "parked call lapsed").length).toBe(1);
});

test("a waiting call belongs to its conversation, and is forgotten with the conversation", async () => {
  const { stage, say } = await left({ said: ["granted"] });
  await propose(stage);
  await stage.gate.moves.switchTo(async () => stage.gate.moves.openNew("other"));
  expect(await say("parked", "1")).toEqual(["call 1 is of conversation main; /resume main first"]);
  expect((await say("parked")).length).toBe(2);
  await stage.gate.moves.forget("main");
  expect(await say("parked")).toEqual(NOTHING_WAITS);
});

test.each([
  ["parked", "1", "another conversation is being taken up"],
  ["tool", 'notes.write {"path":"a"}', "refusedByPolicy: another conversation is being taken up"],
])("while another conversation opens, /%s is not decided under the label of the old conversation", async (...asked) => {
  const tools = (PAGE.tools ?? []).map((one) => ({ ...one, result: { low: PUBLIC, high: SECRET }, sink: PUBLIC }));
  const { stage, say } = await left({ tables: { tools }, said: ["granted"] });
  await propose(stage);
  await propose(stage, "notes.read");
  const [begun, chosen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const switched = stage.gate.moves.switchTo(async () => {
    begun.resolve();
    await chosen.promise;
    return stage.gate.moves.openNew("other");
  });
  await begun.promise;
  stage.sent.length = 0;
  const [name, argument, said] = asked;
  const answer = say(name, argument);
  chosen.resolve();
  await switched;
  expect([await answer, stage.sent, stage.questions]).toEqual([[said], [], []]);
  expect([stage.gate.conversation.label, await say("parked")]).toEqual([PUBLIC, [LINE, HOW]]);
});

test("/parked accepts numbers and drop, and no other argument", async () => {
  const { say } = await left();
  for (const argument of ["all", "drop", "x", "1 2", "drop 1 2", "-1", "0", "drop 0"]) {
    expect(await say("parked", argument)).toEqual([
      "/parked takes the number of a call that waits, or drop and a number, or drop all",
    ]);
  }
});

test("the result of a resumed call raises its conversation's label like any other result", async () => {
  const tools = (PAGE.tools ?? []).map((one) => ({ ...one, result: { low: PUBLIC, high: SECRET } }));
  const { stage, say } = await left({ tables: { tools }, said: ["granted"] });
  await propose(stage);
  await say("parked", "1");
  expect(stage.gate.conversation).toMatchObject({ label: SECRET, unattended: true });
});
