import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Approval, Broker, type Consent } from "../../lib/wire/generated/wire.ts";
import { type Connection, connect } from "../../lib/wire/index.ts";
import { quota } from "./quotas/testing/quota-ledgers.ts";
import { findDesk, serveGate } from "./serve.ts";
import { armoured, softKey } from "./sshsig/testing/soft-key.ts";
import { desksOf, type Page } from "./testing/brokers.ts";

const { reserve, settle, challenge, prove, remaining } = Broker.methods;
const alice = softKey("ssh-ed25519");
const OWN = { task: "", phase: "" };
const REQUEST = { conversation: "c", turn: 1, tool: "notes.read", prompts: 0, argumentBytes: 0, ran: [], ...OWN };
const STEP = { conversation: "c", turn: 1, tool: "notes.delete", arguments: "{}", validForMs: 1000, ...OWN };

function serving(page: Page = {}) {
  const { desk } = desksOf({ alice: [alice.line], ...page });
  return (session: string): Connection => {
    const [here, there] = duplexPair();
    serveGate(there, desk(session));
    return connect(here);
  };
}

async function value<T>(reply: Promise<{ ok: true; value: T } | { ok: false; reason: string }>): Promise<T> {
  const said = await reply;
  if (!said.ok) throw new Error(said.reason);
  return said.value;
}

test("a gate reserves, settles and reads the state of its quotas", async () => {
  const gate = serving()("operator");
  const { lease, exhausted } = await value(gate.call(reserve, { request: REQUEST }));
  expect([lease.length, exhausted]).toEqual([16, ""]);
  expect(await value(gate.call(remaining, { conversation: "c", turn: 1, ...OWN }))).toEqual({
    lines: ["2 calls per turn: 1 of 2 spent; the next turn has its own"],
    left: [{ backend: "", words: "1 of 2 calls per turn" }],
  });
  expect(await gate.call(settle, { lease, ran: false })).toEqual({ ok: true, value: {} });
  const reason = "there is no such lease, or it was settled before";
  expect(await gate.call(settle, { lease, ran: false })).toMatchObject({ ok: false, code: "failed", reason });
  expect(await value(gate.call(remaining, { conversation: "c", turn: 1, ...OWN }))).toEqual({
    lines: ["2 calls per turn: 0 of 2 spent; the next turn has its own"],
    left: [{ backend: "", words: "2 of 2 calls per turn" }],
  });
});

test("the list of remaining quotas contains no quota per call", async () => {
  const gate = serving({ quotas: [quota("1 calls per call"), quota("2 calls per turn")] })("operator");
  const { left } = await value(gate.call(remaining, { conversation: "c", turn: 1, ...OWN }));
  expect(left).toEqual([{ backend: "", words: "2 of 2 calls per turn" }]);
});

test("a reservation from an exhausted quota returns a description of the quota and an empty lease", async () => {
  const gate = serving({ quotas: [quota("0 calls per login")] })("operator");
  expect(await value(gate.call(reserve, { request: REQUEST }))).toEqual({
    lease: new Uint8Array(0),
    exhausted: "0 calls per login (a.cap:1:1): 0 of 0 spent; until the machine starts again",
  });
});

test("of concurrent calls on many connections, exactly as many pass as the page allows", async () => {
  const gateOf = serving({ quotas: [quota("10 calls per login"), quota("100 calls per turn")] });
  const gates = [gateOf("operator"), gateOf("operator"), gateOf("operator")];
  const replies = await Promise.all(
    Array.from({ length: 90 }, (_, index) =>
      value((gates[index % 3] ?? gateOf("operator")).call(reserve, { request: { ...REQUEST, turn: index % 7 } })),
    ),
  );
  expect(replies.filter(({ lease }) => lease.length === 16).length).toBe(10);
  expect(new Set(replies.map(({ lease }) => Buffer.from(lease).toString("hex"))).size).toBe(11);
});

test("a session has quotas of its own, and cannot settle the lease of another session", async () => {
  const gateOf = serving({ quotas: [quota("1 calls per login")] });
  const operator = gateOf("operator");
  const { lease } = await value(operator.call(reserve, { request: REQUEST }));
  expect(await gateOf("visitor").call(settle, { lease, ran: false })).toMatchObject({ ok: false });
  expect((await value(operator.call(reserve, { request: REQUEST }))).exhausted).not.toBe("");
  expect((await value(gateOf("visitor").call(reserve, { request: REQUEST }))).lease.length).toBe(16);
});

test("a reservation also settles the session's earlier calls that it reports as run", async () => {
  const gateOf = serving({ quotas: [quota("2 calls per login")] });
  const [operator, visitor] = [gateOf("operator"), gateOf("visitor")];
  const reserved = async (gate: Connection, ...ran: readonly Uint8Array[]) =>
    await value(gate.call(reserve, { request: { ...REQUEST, ran } }));
  const { lease } = await reserved(operator);
  await reserved(visitor, lease);
  const second = await reserved(operator, new Uint8Array(16), lease);
  expect([second.exhausted, await operator.call(settle, { lease, ran: false })]).toMatchObject(["", { ok: false }]);
  // A call that ran stays charged, so its units do not return.
  expect((await reserved(operator, second.lease)).exhausted).toMatch("2 of 2 spent");
  expect(await operator.call(settle, { lease: second.lease, ran: false })).toMatchObject({ ok: false });
});

test("a proof of a signed challenge names the principal, and is valid once", async () => {
  const gate = serving()("operator");
  const step = await value(gate.call(challenge, { step: STEP }));
  expect(step.failure).toBe("");
  const signature = armoured(alice.sign(step.challenge));
  expect(await value(gate.call(prove, { nonce: step.nonce, signature }))).toEqual({ principal: "alice", failure: "" });
  expect(await value(gate.call(prove, { nonce: step.nonce, signature }))).toEqual({
    principal: "",
    failure: "replayed: the challenge was answered before",
  });
});

test("a nonce is unknown in another session", async () => {
  const gateOf = serving();
  const step = await value(gateOf("operator").call(challenge, { step: STEP }));
  const proof = { nonce: step.nonce, signature: armoured(alice.sign(step.challenge)) };
  expect(await value(gateOf("visitor").call(prove, proof))).toEqual({
    principal: "",
    failure: "unknown challenge: this session was never given that challenge",
  });
});

test("a challenge fails with the reason if the session has no principal with a key", async () => {
  const reply = await value(serving()("visitor").call(challenge, { step: STEP }));
  expect(reply).toEqual({
    challenge: "",
    nonce: new Uint8Array(0),
    failure: "session visitor has no principal with a key",
  });
});

for (const tool of ["notes.suppressed", "notes.uncovered", "notes.nothing", "/exit", ""]) {
  test(`grants neither a lease nor a challenge for the tool "${tool}"`, async () => {
    const gate = serving()("operator");
    const refused = { ok: false, code: "failed", reason: "the session has no such tool" };
    if (tool !== "") expect(await gate.call(reserve, { request: { ...REQUEST, tool } })).toMatchObject(refused);
    expect(await gate.call(challenge, { step: { ...STEP, tool } })).toMatchObject(refused);
  });
}

test("a phase has tools and quotas of its own, and the session's counters span all phases", async () => {
  const gate = serving()("operator");
  const look = { task: "triage", phase: "look" };
  const mend = { task: "triage", phase: "mend" };
  const remainingIn = async (row: typeof OWN) => {
    const { lines } = await value(gate.call(remaining, { conversation: "c", turn: 1, ...row }));
    return lines.map((line) => line.split(";")[0]);
  };
  const noTool = { ok: false, reason: "the session has no such tool" };
  expect(await gate.call(reserve, { request: { ...REQUEST, ...look, tool: "notes.delete" } })).toMatchObject(noTool);
  expect((await value(gate.call(reserve, { request: { ...REQUEST, ...look } }))).exhausted).toBe("");
  expect(await remainingIn(OWN)).toEqual(["2 calls per turn: 1 of 2 spent"]);
  expect((await value(gate.call(reserve, { request: { ...REQUEST, ...mend, tool: "notes.delete" } }))).exhausted).toBe(
    "",
  );
  expect(await remainingIn(mend)).toEqual(["2 calls per turn: 2 of 2 spent", "1 prompts per task: 0 of 1 spent"]);
  for (const row of [
    { task: "triage", phase: "" },
    { task: "tour", phase: "" },
    { task: "", phase: "look" },
  ]) {
    const noRow = { ok: false, code: "failed", reason: "the session has no such task and phase" };
    expect(await gate.call(reserve, { request: { ...REQUEST, ...row } })).toMatchObject(noRow);
    expect(await gate.call(challenge, { step: { ...STEP, ...row } })).toMatchObject(noRow);
    expect(await gate.call(remaining, { conversation: "c", turn: 1, ...row })).toMatchObject(noRow);
  }
});

test("a question about a phase change uses units of prompts but not of calls, and has a challenge to sign", async () => {
  const gate = serving()("operator");
  const mend = { task: "triage", phase: "mend" };
  const request = { ...REQUEST, tool: "", prompts: 1, ...mend };
  expect((await value(gate.call(reserve, { request }))).exhausted).toBe("");
  expect((await value(gate.call(reserve, { request }))).exhausted).toMatch(/^1 prompts per task /);
  const { lines } = await value(gate.call(remaining, { conversation: "c", turn: 1, ...mend }));
  expect(lines[0]).toMatch(/^2 calls per turn: 0 of 2 spent/);
  const step = await value(gate.call(challenge, { step: { ...STEP, tool: "/phase", ...mend } }));
  expect(JSON.parse(step.challenge)).toMatchObject({ tool: "/phase", session: "operator" });
});

test("a conversation needs a short, printable name", async () => {
  const gate = serving()("operator");
  for (const conversation of ["", "a b", "it's", "é", "x".repeat(129)]) {
    const reason = "a conversation is named by 1 to 128 printable ASCII characters";
    const refused = { ok: false, code: "malformed", reason };
    expect(await gate.call(reserve, { request: { ...REQUEST, conversation } })).toMatchObject(refused);
    expect(await gate.call(challenge, { step: { ...STEP, conversation } })).toMatchObject(refused);
  }
});

test("serves a gate of a session, and no other holders or interfaces", () => {
  const { desks } = desksOf();
  const session = (holder: string, interfaceId = Broker.id) =>
    [...desks].find(([, desk]) => desk === findDesk(desks, { holder, interfaceId }))?.[0];
  expect(session("gate.operator")).toBe("operator");
  expect(session("gate.visitor")).toBe("visitor");
  for (const holder of ["gate.", "gate.nobody", "loop.operator", "operator", "xgate.operator", "gate.operator.x", ""]) {
    expect(session(holder)).toBeUndefined();
  }
  expect(session("gate.operator", Approval.id)).toBeUndefined();
});

const HERE: Consent = {
  ...{ conversation: "c", turn: 1, tool: "notes.read", alike: "[]", words: "every notes.read" },
  ...{ confidentiality: 0, integrity: 1, compartments: 0n, ...OWN },
};

test("a gate remembers, lists and revokes consents, and another session's gate sees none of them", async () => {
  const gateOf = serving({ remember: "conversation" });
  const gate = gateOf("operator");
  const { remember, recall, consents, takeBack } = Broker.methods;
  expect(await value(gate.call(remember, { consent: HERE }))).toEqual({ number: 1, failure: "" });
  expect(await value(gate.call(recall, { consent: HERE }))).toEqual({ number: 1 });
  expect(await value(gate.call(consents, { consent: HERE }))).toMatchObject({
    held: [{ number: 1, forMs: 3_600_000n }],
  });
  const visitor = gateOf("visitor");
  expect(await value(visitor.call(recall, { consent: HERE }))).toEqual({ number: 0 });
  expect(await value(visitor.call(takeBack, { number: 0 }))).toEqual({ taken: [] });
  expect(await value(visitor.call(remember, { consent: HERE }))).toMatchObject({ number: 0 });
  expect(await value(gate.call(takeBack, { number: 0 }))).toEqual({ taken: [1] });
  expect(await value(gate.call(recall, { consent: HERE }))).toEqual({ number: 0 });
});

test("refuses a consent for an unknown row, tool or conversation, or a consent that must not be remembered", async () => {
  const gate = serving({ remember: "turn" })("operator");
  const asked = (changes: Partial<Consent>) => gate.call(Broker.methods.remember, { consent: { ...HERE, ...changes } });
  expect(await asked({ phase: "none" })).toMatchObject({ ok: false, code: "failed" });
  expect(await asked({ tool: "notes.suppressed" })).toMatchObject({ ok: false, code: "failed" });
  expect(await asked({ conversation: "é" })).toMatchObject({ ok: false, code: "malformed" });
  expect(await asked({ tool: "notes.delete" })).toEqual({
    ok: true,
    value: { number: 0, failure: "consent to notes.delete is for one call here" },
  });
});

test("returns a conversation's state only to a gate of the same session", async () => {
  const gateOf = serving();
  const gate = gateOf("operator");
  const { keep, kept } = Broker.methods;
  expect(await gate.call(keep, { conversation: "c", state: Buffer.from("label") })).toMatchObject({ ok: true });
  expect(Buffer.from((await value(gate.call(kept, { conversation: "c" }))).state).toString()).toBe("label");
  expect((await value(gateOf("visitor").call(kept, { conversation: "c" }))).state.length).toBe(0);
  expect(await gate.call(keep, { conversation: "é", state: new Uint8Array() })).toMatchObject({ code: "malformed" });
  expect(await gate.call(keep, { conversation: "c", state: new Uint8Array(4097) })).toMatchObject({ code: "failed" });
});

test("forgetting a state affects the gate's own session only", async () => {
  const gateOf = serving();
  const { keep, kept, forget } = Broker.methods;
  const state = Buffer.from("label");
  for (const session of ["operator", "visitor"]) await gateOf(session).call(keep, { conversation: "c", state });
  expect(await gateOf("operator").call(forget, { conversation: "c" })).toMatchObject({ ok: true });
  expect(await gateOf("operator").call(forget, { conversation: "c" })).toMatchObject({ ok: true });
  const left = ["operator", "visitor"].map(async (session) => {
    return (await value(gateOf(session).call(kept, { conversation: "c" }))).state.length;
  });
  expect(await Promise.all(left)).toEqual([0, state.length]);
  expect(await gateOf("operator").call(forget, { conversation: "é" })).toMatchObject({ code: "malformed" });
});

test("charges an answer to the session and to its backend, whichever session asks", async () => {
  const gateOf = serving({ quotas: [quota("100 tokens per login")], backendQuotas: [quota("150 tokens per login")] });
  const { infer, settleTokens } = Broker.methods;
  const asked = { conversation: "c", turn: 1, ...OWN, backend: "canned" };
  const gate = gateOf("operator");
  const first = await value(gate.call(infer, { inference: asked }));
  expect([first.mostTokens, first.exhausted]).toEqual([100, ""]);
  expect(await gate.call(settleTokens, { lease: first.lease, tokens: 90n, outputTokens: 0n })).toMatchObject({
    ok: true,
  });
  expect(await gate.call(settleTokens, { lease: first.lease, tokens: 90n, outputTokens: 0n })).toMatchObject({
    code: "failed",
  });
  expect((await value(gateOf("visitor").call(infer, { inference: asked }))).mostTokens).toBe(60);
  expect((await value(gate.call(infer, { inference: asked }))).exhausted).toMatch(/^150 tokens per login /);
  expect(await value(gate.call(remaining, { conversation: "c", turn: 1, ...OWN }))).toEqual({
    lines: [
      "100 tokens per login: 90 of 100 spent; until the machine starts again",
      "backend canned, whoever asks: 150 tokens per login: 150 of 150 spent; until the machine starts again",
    ],
    left: [
      { backend: "", words: "10 of 100 tokens per login" },
      { backend: "canned", words: "0 of 150 tokens per login" },
    ],
  });
});

test("refuses an answer for an unknown backend, row or conversation", async () => {
  const gate = serving()("operator");
  const asked = (changes: object) =>
    gate.call(Broker.methods.infer, {
      inference: { conversation: "c", turn: 1, ...OWN, backend: "canned", ...changes },
    });
  const reason = "no such backend answers in the session";
  expect(await asked({ backend: "none" })).toMatchObject({ code: "failed", reason });
  expect(await asked({ backend: "closed" })).toMatchObject({ code: "failed" });
  expect(await asked({ phase: "none" })).toMatchObject({ code: "failed" });
  expect(await asked({ conversation: "é" })).toMatchObject({ code: "malformed" });
  expect(await value(asked({}))).toMatchObject({ exhausted: "" });
});

test("remembers a person's consent to a backend only if the backend is behind a gate", async () => {
  const gateOf = serving();
  const lend = (session: string, alike: string) =>
    value(gateOf(session).call(Broker.methods.remember, { consent: { ...HERE, tool: "/model", alike } }));
  expect(await lend("operator", "gated")).toEqual({ number: 1, failure: "" });
  for (const name of ["canned", "closed", "none"]) {
    expect(await lend("operator", name)).toEqual({ number: 0, failure: "no such backend is behind a gate here" });
  }
});

test("a gate stores sources and reads them back in parts, and a gate of another session cannot read them", async () => {
  const gateOf = serving();
  const gate = gateOf("operator");
  const { keepSources, keptSources, forget } = Broker.methods;
  const keep = (after: bigint, chunk: Uint8Array) => gate.call(keepSources, { conversation: "c", after, chunk });
  const large = new Uint8Array(700 * 1024).fill(7);
  expect(await value(keep(0n, large))).toEqual({ size: BigInt(large.length) });
  expect(await keep(0n, large)).toMatchObject({ ok: false, code: "failed" });
  expect(await value(keep(BigInt(large.length), large))).toEqual({ size: BigInt(2 * large.length) });
  const first = await value(gate.call(keptSources, { conversation: "c", from: 0n }));
  expect([first.chunk.length, first.size]).toEqual([768 * 1024, BigInt(2 * large.length)]);
  const rest = await value(gate.call(keptSources, { conversation: "c", from: BigInt(first.chunk.length) }));
  expect(rest.chunk.length).toBe(2 * large.length - first.chunk.length);
  const theirs = await value(gateOf("visitor").call(keptSources, { conversation: "c", from: 0n }));
  expect([theirs.chunk.length, theirs.size]).toEqual([0, 0n]);
  expect(await gate.call(keepSources, { conversation: "é", after: 0n, chunk: large })).toMatchObject({
    code: "malformed",
  });
  expect(await gate.call(keptSources, { conversation: "é", from: 0n })).toMatchObject({ code: "malformed" });
  await gate.call(forget, { conversation: "c" });
  expect((await value(gate.call(keptSources, { conversation: "c", from: 0n }))).size).toBe(0n);
});
