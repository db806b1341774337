// Tests which model answers, which permit it gets, and how a permit ends; only the gate decides this.
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

/** Returns a page with two backends in order, of which the second is cleared for all data; a call returns secret data. */
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

test("the first cleared backend answers, and after the label has risen, the next cleared backend answers", async () => {
  const stage = opened(["auto", "auto"]);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(await propose(stage)).toMatchObject({ outcome: "ok", content: '{"a":1}' });
  expect((await stage.described()).backend).toBe("deep");
  expect(await say(stage, "model")).toEqual([
    "canned: may not answer (this conversation has seen what may not flow to this backend)",
    "canned is stub:sha256-0, the digest of its canned replies",
    "deep: may answer (auto)",
    "deep is stub:deep, the digest of its canned replies",
  ]);
});

test("sends a worker the redactions for a backend without clearance, and records what the worker masked", async () => {
  const cards = { name: "cards", label: SECRET, patterns: ["####"], results: [], arguments: [] };
  const open = { ...cards, name: "open", label: PUBLIC };
  const stage = new Stage({ tables: { ...page(["auto", "auto"]), redactions: [cards, open] }, answers: ["deep"] });
  stage.gate.session.beginTurn();
  await stage.described();
  expect(stage.redactions).toEqual([cards]);
  expect(await say(stage, "model")).toEqual([
    "canned: may answer (auto), and hears it without what cards mask",
    "canned is stub:sha256-0, the digest of its canned replies",
    "deep: may answer (auto)",
    "deep is stub:deep, the digest of its canned replies",
  ]);
  stage.masked = [
    { redaction: "cards", places: 3 },
    { redaction: "a name that the page does not have", places: 1 },
  ];
  stage.messages = [{ role: "user", bytes: 1, hash: new Uint8Array(32) }];
  await stage.gate.parts.models.withdraw();
  const records = () => stage.entries.flatMap((entry) => (entry.which === "inference" ? [entry.inference.masked] : []));
  await expect.poll(records).toEqual([stage.masked.slice(0, 1)]);
});

test("/model also lists an embedder, which gets every saying", async () => {
  const tables = page(["auto", "auto"], { embedder: "near" });
  const lines = await say(new Stage({ tables }), "model");
  expect(lines.at(-1)).toBe("near: hears all that is said in this session, to find it by meaning");
  expect(await say(new Stage({ tables: page(["auto", "auto"]) }), "model")).toEqual(lines.slice(0, -1));
});

test("/model names the model of a remote backend by its provider, and the model of a local backend by the digest of its weights", async () => {
  const said = async (kind: "remote" | "cpu") => {
    const backends = [backend(MODEL.backend, { clearance: LOW }), backend("deep", { clearance: HIGH, kind })];
    const tables = { ...page(["auto", "auto"]), backends };
    return (await say(new Stage({ tables, answers: ["deep"] }), "model")).at(-1);
  };
  expect(await said("remote")).toBe("deep is stub:deep; which weights its provider runs cannot be verified");
  expect(await said("cpu")).toBe("deep is stub:deep, the digest of its weights");
});

test("withdraws a permit before it returns a result with a higher label", async () => {
  const stage = opened(["auto", "auto"]);
  const { turn, snapshot } = await stage.described();
  expect(stage.answers).toEqual(["infer canned in 1", "allow 100"]);
  await stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call: CALL }, never);
  expect(stage.answers.slice(0, 3)).toEqual(["infer canned in 1", "allow 100", "withdraw"]);
  await expect.poll(() => stage.answers.at(-1)).toBe("settle 7");
});

test("each new list of tools voids the previous permit and settles its tokens", async () => {
  const stage = opened(["auto", "auto"]);
  const first = await stage.described();
  const second = await stage.described();
  expect(Buffer.compare(first.nonce, second.nonce)).not.toBe(0);
  expect(stage.answers).toEqual([
    ...["infer canned in 1", "allow 100", "withdraw", "settle 7"],
    ...["infer canned in 1", "allow 100"],
  ]);
});

test("charges a dead worker the maximum that it announced, or nothing if it announced no maximum", async () => {
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
  ["the loop cancels the turn", (stage: Stage) => stage.gate.loopCalls.cancelTurn("main", 1)],
] as const) {
  test(`the answer ends when ${what}`, async () => {
    const stage = opened(["auto", "auto"]);
    await stage.described();
    await end(stage);
    await new Promise(setImmediate);
    expect(stage.answers.slice(2)).toContain("withdraw");
  });
}

test("without tokens or a model, offers no tools and gives the reason", async () => {
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

test("asks a person once per conversation and label if only gated backends may answer", async () => {
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
  expect(stage.entries).toMatchObject([
    { session: { event: "model opened", detail: "canned: consented after 1200 ms at console, consent 1" } },
  ]);
  const words = "backend canned hears all of this conversation while it is at public/reviewed, for an hour at most";
  expect(await say(stage, "grants")).toContain(`consent 1: ${words}; 2 min are left`);
  expect(await say(stage, "model")).toEqual([
    "canned: may answer (consent, and open by consent 1)",
    "canned is stub:sha256-0, the digest of its canned replies",
    "deep: may not answer (forbidden in this session)",
    "deep is stub:deep, the digest of its canned replies",
  ]);
});

test("a backend whose opening cannot be recorded stays closed, and the person is asked again", async () => {
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

test("does not ask again in the turn after a denial, and no backend answers", async () => {
  const stage = opened(["consent", "forbidden"], ["denied", "granted"]);
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the person said no"));
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("this was denied earlier in the turn"));
  expect(stage.answers).toEqual([]);
  stage.gate.session.beginTurn();
  expect((await stage.described()).backend).toBe(MODEL.backend);
});

test("a step-up for a backend needs a signature, and its signer is recorded", async () => {
  const stage = opened(["stepUp", "forbidden"], ["granted", "granted"]);
  stage.principal = "";
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("wrong key"));
  stage.principal = "alice";
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(stage.steps.filter((step) => step.startsWith("prove"))).toEqual(["prove signed", "prove signed"]);
  expect(stage.entries.at(-1)).toMatchObject({
    session: { detail: "canned: stepUpSucceeded (alice) after 1200 ms at console, consent 1" },
  });
});

test("does not ask while another backend may answer; a person can open a backend by its name", async () => {
  const stage = opened(["consent", "auto"], ["granted"]);
  expect([(await stage.described()).backend, stage.questions.length]).toEqual(["deep", 0]);
  expect(await say(stage, "model", "canned")).toEqual(["canned may answer from now on"]);
  expect((await stage.described()).backend).toBe(MODEL.backend);
  expect(await say(stage, "model", "canned")).toEqual(["refused: consent, and open"]);
  expect(await say(stage, "model", "none")).toEqual(["refused: no backend of this session has that name"]);
});

test("revoking a person's consent to a backend ends its answer, and a person is asked again before the next answer", async () => {
  const stage = opened(["consent", "forbidden"], ["granted", "denied"]);
  await stage.described();
  expect(await say(stage, "revoke", "1")).toEqual(["consent 1 is taken back"]);
  await new Promise(setImmediate);
  expect(stage.answers.slice(2)).toContain("withdraw");
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the person said no"));
});

test("if the consent to a backend is revoked while a permit is prepared, the loop gets no permit", async () => {
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

test("with required logging, an answer is recorded before it begins, and refused without a durable log", async () => {
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

test("without the broker's reply no backend answers, and no person is asked", async () => {
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

test("if the quota of prompts is exhausted, no backend is opened and nobody is asked", async () => {
  const stage = opened(["consent", "forbidden"], ["granted"]);
  stage.exhausted = "prompts";
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("used up: prompts"));
  expect([stage.questions, stage.consents]).toEqual([[], []]);
});

test("asks at most twelve times per turn about a backend", async () => {
  const stage = opened(["consent", "forbidden"], Array(20).fill("granted"));
  for (let asked = 0; asked < 12; asked += 1) {
    await stage.described();
    expect(await say(stage, "revoke", "all")).toEqual(["consent 1 is taken back"]);
  }
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("12 questions were asked in this turn"));
  expect(stage.questions).toHaveLength(12);
});

test("the end of an old permit does not affect the next permit", async () => {
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
