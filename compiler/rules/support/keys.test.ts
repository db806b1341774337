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
  ["of one with a key", ALICE, "principals alice", false],
  ["of one with a passphrase alone", BOB, "principals bob", true],
  ["of one with a key and a passphrase", CAROL, "principals carol", false],
  ["of two, one of whom has a key", `${ALICE} ${BOB}`, "principals alice, bob", false],
])("a session %s has nobody or somebody who signs", async (_, principals, words, expected) => {
  expect(isWithoutKey(await readSession(principals, words))).toBe(expected);
});

test("an abstract or damaged session asks no one", async () => {
  const session = await readSession("", "");
  expect(isWithoutKey({ ...session, abstract: true })).toBe(false);
  expect(isWithoutKey({ ...session, damaged: true })).toBe(false);
});

test("a principal whose proofs could not be read counts as one who has a key", async () => {
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
])("the reason %j has a word in it or not", (reason, expected) => {
  expect(isWithoutWords(reason)).toBe(expected);
});
