import fc from "fast-check";
import { expect, test } from "vitest";
import { CATEGORY, indexed, row, tool } from "../../../lib/policy/testing/sample.ts";
import type { Consent } from "../../../lib/wire/generated/wire.ts";
import { TestWorld } from "../quotas/testing/quota-ledgers.ts";
import { CONSENT_MS, Consents, MAX_CONSENTS } from "./consents.ts";

const write = tool("notes.write");
const turnwise = row("operator", [2], { remember: "turn" });
const throughout = row("operator", [2], { remember: "conversation" });
const ASKED: Consent = {
  conversation: "main",
  turn: 1,
  task: "",
  phase: "",
  tool: "notes.write",
  alike: "[]",
  confidentiality: 0,
  integrity: 1,
  compartments: 0n,
  words: "every notes.write",
};

function opened() {
  const world = new TestWorld();
  return { world, consents: new Consents(indexed(), world) };
}

test("a consent covers only calls that equal the approved call in every property to which the consent is bound", () => {
  const { consents } = opened();
  expect(consents.remember(ASKED, throughout, write)).toEqual({ ok: true, value: 1 });
  const others: readonly Partial<Consent>[] = [
    { conversation: "other" },
    { task: "triage" },
    { phase: "look" },
    { tool: "notes.read" },
    { alike: '["holds"]' },
    { confidentiality: 1 },
    { confidentiality: 2 },
    { integrity: 0 },
    { compartments: 1n },
  ];
  for (const changed of others) expect([changed, consents.recall({ ...ASKED, ...changed })]).toEqual([changed, 0]);
  expect(consents.recall({ ...ASKED, turn: 9, words: "other words" })).toBe(1);
});

test("a consent per turn ends with the turn", () => {
  const { consents } = opened();
  consents.remember(ASKED, turnwise, write);
  expect(consents.recall(ASKED)).toBe(1);
  expect(consents.recall({ ...ASKED, turn: 2 })).toBe(0);
});

test("a consent expires after an hour of the boot clock, to the millisecond", () => {
  const { consents, world } = opened();
  world.ms = 7;
  consents.remember(ASKED, throughout, write);
  world.ms += CONSENT_MS - 1;
  expect(consents.recall(ASKED)).toBe(1);
  expect(consents.listHeld(ASKED)).toEqual([{ number: 1, tool: "notes.write", words: "every notes.write", forMs: 1n }]);
  world.ms += 1;
  expect([consents.recall(ASKED), consents.listHeld(ASKED)]).toEqual([0, []]);
});

test("does not remember a consent that the page excludes, whatever a gate requests", () => {
  const { consents } = opened();
  const never = row("operator", [2]);
  expect(consents.remember(ASKED, never, write)).toMatchObject({ ok: false });
  for (const changes of [{ networked: true }, { category: CATEGORY.destructive }, { category: CATEGORY.payments }]) {
    expect(consents.remember(ASKED, throughout, tool("notes.write", changes))).toMatchObject({ ok: false });
  }
  for (const long of [{ alike: "x".repeat(5000) }, { words: "x".repeat(5000) }]) {
    expect(consents.remember({ ...ASKED, ...long }, throughout, write)).toMatchObject({ ok: false });
  }
  expect(consents.recall(ASKED)).toBe(0);
});

test("a revoked consent ends at once, and its number is not used again", () => {
  const { consents } = opened();
  consents.remember(ASKED, throughout, write);
  consents.remember({ ...ASKED, alike: "[1]" }, throughout, write);
  expect(consents.takeBack(3)).toEqual([]);
  expect(consents.takeBack(1)).toEqual([1]);
  expect([consents.recall(ASKED), consents.recall({ ...ASKED, alike: "[1]" })]).toEqual([0, 2]);
  expect(consents.takeBack(1)).toEqual([]);
  expect(consents.remember(ASKED, throughout, write)).toEqual({ ok: true, value: 3 });
  expect(consents.takeBack(0)).toEqual([2, 3]);
  expect(consents.listHeld(ASKED)).toEqual([]);
});

test("the number of consents is bounded; expired consents make room for new ones", () => {
  const { consents, world } = opened();
  for (let index = 0; index < MAX_CONSENTS; index += 1) consents.remember(ASKED, turnwise, write);
  expect(consents.remember(ASKED, throughout, write)).toMatchObject({ ok: false });
  expect(consents.remember({ ...ASKED, turn: 2 }, throughout, write)).toMatchObject({ ok: true });
  for (let index = 1; index < MAX_CONSENTS; index += 1) consents.remember(ASKED, throughout, write);
  expect(consents.remember(ASKED, throughout, write)).toMatchObject({ ok: false });
  world.ms += CONSENT_MS;
  expect(consents.remember(ASKED, throughout, write)).toMatchObject({ ok: true });
});

const names = fc.constantFrom("a", "b");
const arbitraryConsent = fc.record({
  conversation: names,
  turn: fc.integer({ min: 1, max: 3 }),
  task: fc.constant(""),
  phase: names,
  tool: names,
  alike: names,
  confidentiality: fc.integer({ min: 0, max: 1 }),
  integrity: fc.integer({ min: 0, max: 1 }),
  compartments: fc.bigInt({ min: 0n, max: 1n }),
  words: fc.constant(""),
});
const step = fc.oneof(
  fc.record({ act: fc.constant("remember" as const), consent: arbitraryConsent, turnwise: fc.boolean() }),
  fc.record({ act: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: CONSENT_MS }) }),
  fc.record({ act: fc.constant("take" as const), number: fc.integer({ min: 0, max: 6 }) }),
);

/** Returns the properties that a call must share with a consent, computed independently of the code under test. */
const boundTo = ({ words: _, turn, ...rest }: Consent, isOfTurn: boolean) =>
  JSON.stringify([rest, isOfTurn ? turn : 0], (_key, value) => (typeof value === "bigint" ? String(value) : value));

test("after any grants, waits and revocations, the same consents are valid as in a naive list of all consents", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), arbitraryConsent, (steps, asked) => {
      const { consents, world } = opened();
      const said: { number: number; consent: Consent; isOfTurn: boolean; at: number; isTaken: boolean }[] = [];
      for (const one of steps) {
        if (one.act === "wait") world.ms += one.ms;
        if (one.act === "remember") {
          const remembered = consents.remember(one.consent, one.turnwise ? turnwise : throughout, write);
          if (!remembered.ok) throw new Error(remembered.reason);
          const { value: number } = remembered;
          said.push({ number, consent: one.consent, isOfTurn: one.turnwise, at: world.ms, isTaken: false });
        }
        if (one.act === "take") {
          consents.takeBack(one.number);
          for (const kept of said) if (one.number === 0 || one.number === kept.number) kept.isTaken = true;
        }
      }
      // A turn that has ended never becomes current again, because the gate only counts upwards.
      const latest = Math.max(
        0,
        ...said.filter((kept) => kept.consent.conversation === asked.conversation).map((kept) => kept.consent.turn),
      );
      fc.pre(asked.turn >= latest);
      const covers = said.find(
        ({ consent, isOfTurn, at, isTaken }) =>
          !isTaken && world.ms < at + CONSENT_MS && boundTo(consent, isOfTurn) === boundTo(asked, isOfTurn),
      );
      expect(consents.recall(asked)).toBe(covers?.number ?? 0);
    }),
  );
});
