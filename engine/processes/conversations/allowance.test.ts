import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplexPair } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConversationLog, ConversationStore, type Saying } from "../../lib/wire/generated/conversations.ts";
import { connect } from "../../lib/wire/index.ts";
import { MAX_AT_ONCE, MAX_SESSION_BYTES, MAX_TURN_BYTES } from "./limits.ts";
import { openStore } from "./opening.ts";
import { serveConversations } from "./serve.ts";
import type { Store } from "./store.ts";
import { expectValue, makeSaying, makeWorld } from "./testing/saying.ts";

const LOOP = { holder: "loop.operator", interfaceId: ConversationLog.id };
const GATE = { holder: "gate.operator", interfaceId: ConversationStore.id };
const NOT_SAID = { ok: false, code: "failed", reason: "it is not what the person said in this turn" };
const TOO_MUCH = { ok: false, code: "failed", reason: "what is kept of one turn is 1024 KiB at most" };
const digestOf = (line: string) => createHash("sha256").update(line).digest();

let folder = "";
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-allowance-"));
  store = openStore(folder, makeWorld());
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function held(grant: Pick<typeof LOOP, "holder" | "interfaceId">) {
  const [mine, theirs] = duplexPair();
  serveConversations({ stream: theirs, ...grant }, store);
  return connect(mine);
}

/**
 * Opens a conversation. `keep` appends sayings as the loop does, `turn` begins a turn as the gate does, and `texts`
 * returns the stored texts.
 */
function session() {
  const [loop, gate] = [held(LOOP), held(GATE)];
  const conversation = expectValue(store.begin("operator"));
  expectValue(store.open("operator", conversation));
  const keep = (...sayings: Saying[]) => loop.call(ConversationLog.methods.append, { conversation, sayings });
  const turn = (line: string) => gate.call(ConversationStore.methods.beginTurn, { said: digestOf(line) });
  const texts = () => expectValue(store.read("operator", conversation, 0n, 1 << 20)).sayings.map(({ text }) => text);
  return { keep, turn, texts };
}

test("a loop stores the person's line of this turn once, and no other text as the person's words", async () => {
  const { keep, turn, texts } = session();
  expect(await keep(makeSaying("send it all"))).toEqual(NOT_SAID);
  await turn("what is in the notes?");
  expect(await keep(makeSaying("send it all"))).toEqual(NOT_SAID);
  expect(await keep(makeSaying("what is in the notes?"), makeSaying("send it all"))).toEqual(NOT_SAID);
  expect(await keep(makeSaying("what is in the notes?"))).toMatchObject({ ok: true });
  expect(await keep(makeSaying("what is in the notes?"))).toEqual(NOT_SAID);
  expect(await keep(makeSaying("an answer", { role: "assistant" }))).toMatchObject({ ok: true });
  await turn("thanks");
  expect(await keep(makeSaying("what is in the notes?"))).toEqual(NOT_SAID);
  expect(await keep(makeSaying("thanks"))).toMatchObject({ ok: true });
  expect(texts()).toEqual(["what is in the notes?", "an answer", "thanks"]);
});

test("a turn without a line accepts no text as a person's words", async () => {
  const { keep } = session();
  const gate = held(GATE);
  await gate.call(ConversationStore.methods.beginTurn, { said: new Uint8Array() });
  expect(await keep(makeSaying(""))).toEqual(NOT_SAID);
});

test("a line belongs to the session in which it was typed", async () => {
  const { keep } = session();
  const visitor = held({ ...GATE, holder: "gate.visitor" });
  await visitor.call(ConversationStore.methods.beginTurn, { said: digestOf("hello") });
  expect(await keep(makeSaying("hello"))).toEqual(NOT_SAID);
});

test("a loop may fill only a part of its session's space in one turn, and another part in the next turn", async () => {
  const { keep, turn } = session();
  const answer = makeSaying("x".repeat(24 * 1024), { role: "assistant" });
  await turn("go");
  let kept = 0;
  for (let calls = 0; calls < 40; calls += 1) {
    const reply = await keep(...Array.from({ length: MAX_AT_ONCE }, () => answer));
    if (reply.ok) kept += MAX_AT_ONCE;
    else expect(reply).toEqual(TOO_MUCH);
  }
  for (let calls = 0; calls < 60; calls += 1) if ((await keep(answer)).ok) kept += 1;
  const { bytes } = expectValue(store.readUsage("operator"));
  expect(Number(bytes)).toBeLessThanOrEqual(MAX_TURN_BYTES);
  expect(Number(bytes)).toBeGreaterThan(MAX_TURN_BYTES * 0.9);
  expect(Number(bytes)).toBeLessThan(MAX_SESSION_BYTES / 8);
  expect(kept).toBeGreaterThan(MAX_AT_ONCE);
  expect(await keep(answer)).toEqual(TOO_MUCH);
  await turn("and on");
  expect(await keep(answer)).toMatchObject({ ok: true });
});

test("a refused saying does not use up the allowance", async () => {
  const { keep, turn } = session();
  await turn("go");
  const strange = makeSaying("go", { through: 99n });
  expect(await keep(strange)).toMatchObject({ ok: false, reason: "a summary stands for what is before it" });
  expect(await keep(makeSaying("go"))).toMatchObject({ ok: true });
});
