import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Session } from "../../phases/bind/index.ts";
import { isWithoutKey } from "./keys.ts";
import { isWithoutWords } from "./reasons.ts";

async function readSession(principals: string, words: string): Promise<Session> {
  const model = await bindModel(
    renderFactsPage({
      top: principals,
      sessions: `session operator { kind operator  models { auto canned }  ${words}  permit { auto readOnly } }`,
    }),
  );
  const session = model.sessions.find(({ id }) => id === "operator");
  if (session === undefined) throw new Error("the page has the session");
  return session;
}

const ALICE = 'principal alice { ssh "keys/alice.pub" }';
const BOB = 'principal bob { passphrase "bob" }';
const CAROL = 'principal carol { ssh "keys/bob.pub"  passphrase "carol" }';

test.each([
  ["without principals", "", "", true],
  ["with one principal who has a key", ALICE, "principals alice", false],
  ["with one principal who has only a passphrase", BOB, "principals bob", true],
  ["with one principal who has a key and a passphrase", CAROL, "principals carol", false],
  ["with two principals, one of whom has a key", `${ALICE} ${BOB}`, "principals alice, bob", false],
])("a session needs one principal with a key for step-up: %s", async (_, principals, words, expected) => {
  expect(isWithoutKey(await readSession(principals, words))).toBe(expected);
});

test("an abstract or damaged session does not need a key", async () => {
  const session = await readSession("", "");
  expect(isWithoutKey({ ...session, abstract: true })).toBe(false);
  expect(isWithoutKey({ ...session, damaged: true })).toBe(false);
});

test("a principal with unreadable credentials counts as having a key", async () => {
  const session = await readSession(BOB, "principals bob");
  const [bob] = session.principals ?? [];
  if (bob === undefined) throw new Error("the session has a principal");
  const damaged = { ...bob, node: { ...bob.node, damaged: true } };
  expect(isWithoutKey({ ...session, principals: [damaged] })).toBe(false);
  expect(isWithoutKey({ ...session, principals: [bob, damaged] })).toBe(false);
});

test.each([
  ["", true],
  [" \t", true],
  ["…—!?", true],
  ["_", true],
  ["ok", false],
  ["7", false],
  ["- é", false],
  ["因", false],
])("the reason %j is without words: %s", (reason, expected) => {
  expect(isWithoutWords(reason)).toBe(expected);
});
