// Which model answers, what it may use, and how a permit ends: by the gate's word alone.
import { expect, test } from "vitest";
import { always, backend, PUBLIC, row, SECRET, tool } from "../../lib/policy/testing/sample.ts";
import { refuse } from "../../lib/result/result.ts";
import type { Backend, BackendChoice, PolicyTables } from "../../lib/wire/generated/policy.ts";
import type { Answer } from "../../lib/wire/generated/wire.ts";
import { answerCommand, type CommandParts } from "./commands/index.ts";
import { CALL, never, propose } from "./testing/calls.ts";
import { answering, MODEL, Stage } from "./testing/stage.ts";

const LOW = { ...PUBLIC, integrity: 0 };
const HIGH = { ...SECRET, integrity: 0 };

/** Returns a page with two backends in order, the second one cleared for all; a call returns secret data. */
function page(modes: readonly [BackendChoice["mode"], BackendChoice["mode"]], changes: Partial<Backend> = {}) {
  return {
    tools: [tool("notes.write", { readOnly: true, result: { low: PUBLIC, high: SECRET } })],
    decisions: [{ clauses: [always("auto")], floors: [] }],
    rows: [row("operator", [2], { backends: modes.map((mode, index) => ({ backend: index, mode })) })],
    backends: [backend(MODEL.backend, { clearance: LOW, ...changes }), backend("deep", { clearance: HIGH })],
  } satisfies Partial<PolicyTables>;
}

function opened(modes: readonly [BackendChoice["mode"], BackendChoice["mode"]], said: readonly Answer[] = []): Stage {
  const stage = new Stage({ tables: page(modes), said, answers: ["deep"], serve: answering('{"a":1}') });
  stage.gate.session.beginTurn();
  return stage;
}

function say(stage: Stage, name: string, argument = "") {
  const parts: CommandParts = { gate: stage.gate, held: new Map(), supervisor: stage.broker };
  return answerCommand(parts, name, argument, never);
}

test("the first that may hear the conversation answers; once it has seen more, the next that is cleared for it does", async () => {
  const stage = opened(["auto", "auto"]);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(await propose(stage)).toMatchObject({ outcome: "ok", content: '{"a":1}' });
  expect((await stage.described()).backend).toBe("deep");
  expect(await say(stage, "model")).toEqual([
    "canned: may not answer (this conversation has seen what may not flow to this backend)",
    "deep: may answer (auto)",
  ]);
});

test("a worker is told what to mask for a backend that is not cleared for it, and what it masked is on record", async () => {
  const cards = { name: "cards", label: SECRET, patterns: ["####"], results: [], arguments: [] };
  const open = { ...cards, name: "open", label: PUBLIC };
  const stage = new Stage({ tables: { ...page(["auto", "auto"]), redactions: [cards, open] }, answers: ["deep"] });
  stage.gate.session.beginTurn();
  await stage.described();
  expect(stage.redactions).toEqual([cards]);
  expect(await say(stage, "model")).toEqual([
    "canned: may answer (auto), and hears it without what cards mask",
    "deep: may answer (auto)",
  ]);
  stage.masked = [{ redaction: "cards", places: 3 }];
  stage.messages = [{ role: "user", bytes: 1, hash: new Uint8Array(32) }];
  await stage.gate.parts.models.withdraw();
  const records = () => stage.entries.flatMap((entry) => (entry.which === "inference" ? [entry.inference.masked] : []));
  await expect.poll(records).toEqual([stage.masked]);
});

test("the embedder that reads every message is shown beside the backends", async () => {
  const tables = page(["auto", "auto"], { embedder: "near" });
  const lines = await say(new Stage({ tables }), "model");
  expect(lines.at(-1)).toBe("near: hears all that is said in this session, to find it by meaning");
  expect(await say(opened(["auto", "auto"]), "model")).toEqual(lines.slice(0, -1));
});

test("a permit that was given below the label of a result is withdrawn before the result is reported", async () => {
  const stage = opened(["auto", "auto"]);
  const { turn, snapshot } = await stage.described();
  expect(stage.answers).toEqual(["infer canned in 1", "allow 100"]);
  await stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never);
  expect(stage.answers.slice(0, 3)).toEqual(["infer canned in 1", "allow 100", "withdraw"]);
  await expect.poll(() => stage.answers.at(-1)).toBe("settle 7");
});

test("each list of tools voids the permit before it, and what was used is settled", async () => {
  const stage = opened(["auto", "auto"]);
  const first = await stage.described();
  const second = await stage.described();
  expect(Buffer.compare(first.nonce, second.nonce)).not.toBe(0);
  expect(stage.answers).toEqual([
    ...["infer canned in 1", "allow 100", "withdraw", "settle 7"],
    ...["infer canned in 1", "allow 100"],
  ]);
});

test("a worker that dies is charged what it said before that its answer uses at most; one that had said nothing has asked nobody", async () => {
  const stage = opened(["auto", "auto"]);
  await stage.described();
  await new Promise(setImmediate);
  stage.dies = "untold";
  await stage.described();
  await stage.described();
  stage.dies = "no";
  await stage.described();
  const charged = stage.answers.map((one) => /^(infer|settle \d+)/.exec(one)?.[0]).filter((one) => one !== undefined);
  expect(charged).toEqual(["infer", "settle 49", "infer", "settle 0", "infer", "settle 7", "infer"]);
});

for (const [what, end] of [
  ["the person stops the turn", (stage: Stage) => stage.gate.interrupt()],
  ["the next turn begins", (stage: Stage) => stage.gate.session.beginTurn()],
  ["the machine stops", (stage: Stage) => stage.gate.stop()],
  ["the loop gives the turn up", (stage: Stage) => stage.gate.loopCalls.cancelTurn("main", 1)],
] as const) {
  test(`the answer ends when ${what}`, async () => {
    const stage = opened(["auto", "auto"]);
    await stage.described();
    await end(stage);
    await new Promise(setImmediate);
    expect(stage.answers.slice(2)).toContain("withdraw");
  });
}

test("without tokens, or without the model, there are no tools, and it says why", async () => {
  const spent = opened(["auto", "auto"]);
  spent.tokens = 0;
  expect(await spent.gate.offering.describe("main")).toEqual(refuse("used up: tokens"));
  const gone = opened(["auto", "auto"]);
  gone.refusesPermits = true;
  expect(await gone.gate.offering.describe("main")).toEqual(refuse("the model of canned does not answer: it is gone"));
  expect(gone.answers).toEqual(["infer canned in 1", "allow 100", "settle 0"]);
  const unheld = new Stage({ tables: page(["forbidden", "auto"]) });
  unheld.gate.session.beginTurn();
  expect(await unheld.gate.offering.describe("main")).toEqual(
    refuse("no model of backend deep is held in this session"),
  );
});

test("a person is asked once for a conversation and label if only a backend behind a gate may answer", async () => {
  const stage = opened(["consent", "forbidden"], ["granted"]);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(stage.questions).toMatchObject([
    {
      tool: "/model",
      arguments: '{"backend":"canned"}',
      sentence: "backend canned hears all of this conversation while it is at public/reviewed, for an hour at most",
      mode: "consent",
      rule: "the models of session operator",
      mayRemember: false,
    },
  ]);
  expect(stage.steps).toEqual(["reserve  in 1 with 1", "ask", "settle", "remember", "session"]);
  expect(stage.entries).toMatchObject([{ session: { event: "model opened", detail: "canned: consented, consent 1" } }]);
  const words = "backend canned hears all of this conversation while it is at public/reviewed, for an hour at most";
  expect(await say(stage, "grants")).toContain(`consent 1: ${words}; 2 min are left`);
  expect(await say(stage, "model")).toEqual([
    "canned: may answer (consent, and open by consent 1)",
    "deep: may not answer (forbidden in this session)",
  ]);
});

test("an approval of a backend that was not recorded does not hold, and is asked again", async () => {
  const stage = opened(["consent", "forbidden"], ["granted", "granted"]);
  stage.refuses = "sessions";
  expect(await stage.gate.offering.describe("main")).toEqual(
    refuse("the audit does not record it: the disk refused the record"),
  );
  expect([stage.consents, stage.answers]).toEqual([[], []]);
  stage.refuses = "nothing";
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect([stage.questions.length, stage.consents.length]).toEqual([2, 1]);
});

test("a denied backend is not asked about again in the turn, and no backend answers", async () => {
  const stage = opened(["consent", "forbidden"], ["denied", "granted"]);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the person said no"));
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("this was denied earlier in the turn"));
  expect(stage.answers).toEqual([]);
  stage.gate.session.beginTurn();
  expect((await stage.described()).backend).toBe(MODEL.backend);
});

test("a step-up needs a signature, and the signer is on record", async () => {
  const stage = opened(["stepUp", "forbidden"], ["granted", "granted"]);
  stage.principal = "";
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("wrong key"));
  stage.principal = "alice";
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(stage.steps.filter((step) => step.startsWith("prove"))).toEqual(["prove signed", "prove signed"]);
  expect(stage.entries.at(-1)).toMatchObject({ session: { detail: "canned: stepUpSucceeded (alice), consent 1" } });
});

test("no question is asked while another backend may answer; a person opens the first one by its name", async () => {
  const stage = opened(["consent", "auto"], ["granted"]);
  expect([(await stage.described()).backend, stage.questions.length]).toEqual(["deep", 0]);
  expect(await say(stage, "model", "canned")).toEqual(["canned may answer from now on"]);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(await say(stage, "model", "canned")).toEqual(["refused: consent, and open"]);
  expect(await say(stage, "model", "none")).toEqual(["refused: no backend of this session has that name"]);
});

test("a lease that is taken back ends what is answered under it, and the next one is asked for", async () => {
  const stage = opened(["consent", "forbidden"], ["granted", "denied"]);
  await stage.described();
  expect(await say(stage, "revoke", "1")).toEqual(["consent 1 is taken back"]);
  await new Promise(setImmediate);
  expect(stage.answers.slice(2)).toContain("withdraw");
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the person said no"));
});

test("a lease that is taken back while its permit is on its way gives none", async () => {
  const tables = page(["consent", "forbidden"], { logRequired: true });
  const stage = new Stage({ tables, said: ["granted"], answers: ["deep"] });
  stage.gate.session.beginTurn();
  await stage.described();
  const recorded = stage.until("session");
  const again = stage.gate.offering.describe("main");
  await recorded;
  expect(await say(stage, "revoke", "1")).toEqual(["consent 1 is taken back"]);
  expect(await again).toEqual(refuse("consent 1 was taken back"));
  expect(stage.answers.filter((one) => one !== "settle 7").at(-1)).toBe("withdraw");
});

test("an answer that must be logged is on record before it begins, and there is none where nothing is durable", async () => {
  const stage = new Stage({ tables: page(["auto", "forbidden"], { logRequired: true }) });
  stage.gate.session.beginTurn();
  await stage.described();
  expect(stage.entries).toMatchObject([{ session: { event: "answer", detail: "canned in turn 1 of main" } }]);
  stage.isDurable = false;
  expect(await stage.gate.offering.describe("main")).toEqual(
    refuse("canned answers only where its use is recorded durably, and nothing is"),
  );
  stage.isDurable = true;
  stage.refuses = "sessions";
  expect(await stage.gate.offering.describe("main")).toMatchObject({
    reason: expect.stringMatching(/^the audit does not record the use of canned: /),
  });
});

test("no backend answers and no question is asked if the broker does not tell quotas or leases", async () => {
  const words = "the broker does not answer: no answer came in time";
  const spent = opened(["auto", "auto"]);
  spent.unanswered.add("infer");
  expect(await spent.gate.offering.describe("main")).toEqual(refuse(words));
  expect(spent.answers).toEqual([]);
  const unknown = opened(["consent", "forbidden"], ["granted"]);
  unknown.unanswered.add("recall");
  expect(await unknown.gate.offering.describe("main")).toEqual(refuse(words));
  expect(await unknown.gate.offering.openModel("canned")).toBe(words);
  expect(unknown.questions).toEqual([]);
  const full = opened(["consent", "forbidden"], ["granted"]);
  full.remembers = false;
  expect(await full.gate.offering.describe("main")).toEqual(refuse("the broker keeps no lease of it"));
  expect(full.answers).toEqual([]);
});

test("a prompt that is not to be had opens no backend", async () => {
  const stage = opened(["consent", "forbidden"], ["granted"]);
  stage.exhausted = "prompts";
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("used up: prompts"));
  expect([stage.questions, stage.consents]).toEqual([[], []]);
});

test("a person is asked about a backend twelve times in a turn at most", async () => {
  const stage = opened(["consent", "forbidden"], Array(20).fill("granted"));
  for (let asked = 0; asked < 12; asked += 1) {
    await stage.described();
    expect(await say(stage, "revoke", "all")).toEqual(["consent 1 is taken back"]);
  }
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("12 questions were asked in this turn"));
  expect(stage.questions).toHaveLength(12);
});

test("a permit that ends stays behind: the one after it is not given back for it", async () => {
  const stage = opened(["auto", "auto"]);
  await stage.described();
  const { nonce } = await stage.described();
  await expect.poll(() => stage.answers.filter((one) => one.startsWith("settle")).length).toBe(1);
  stage.answers.length = 0;
  stage.gate.interrupt();
  await expect.poll(() => stage.answers).toEqual(["withdraw", "settle 7"]);
  stage.gate.interrupt();
  await new Promise(setImmediate);
  expect([nonce.length, stage.answers]).toEqual([16, ["withdraw", "settle 7"]]);
});
