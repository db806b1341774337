import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_RECALL_BYTES, MOST_RECALLED, MOST_UNTOLD, PASSAGE_LENGTH } from "./limits.ts";
import { openStore } from "./opening.ts";
import type { Store } from "./store.ts";
import { expectValue, makeSaying, makeWorld } from "./testing/saying.ts";

const inMemory = () => openStore(undefined, makeWorld());

/** Opens a conversation with these sayings, and returns its name. */
function holding(store: Store, sayings: readonly Saying[], session = "operator"): string {
  const conversation = expectValue(store.begin(session));
  expectValue(store.open(session, conversation));
  for (const saying of sayings) expectValue(store.append(session, conversation, [saying]));
  return conversation;
}

const FAR = { before: 1n << 40n, mostBytes: 1 << 20 };
const recalled = (store: Store, conversation: string, words: string, more: Partial<typeof FAR> = {}) =>
  expectValue(store.recall("operator", { conversation, words, ...FAR, ...more }));
const found = (...asked: Parameters<typeof recalled>) => recalled(...asked).sayings.map(({ sequence }) => sequence);

const TALK: readonly Saying[] = [
  makeSaying("My server in Graz is called larch and its disk is full", { turn: 1 }),
  makeSaying("Noted: larch.", { role: "assistant", turn: 1 }),
  ...Array.from({ length: 20 }, (_, at) => makeSaying(`what about the weather in week ${at + 60}?`, { turn: at + 2 })),
  makeSaying("the server that we spoke of", { turn: 30 }),
];

test("finds an evicted saying by its distinctive words, together with its answer", () => {
  const store = inMemory();
  const conversation = holding(store, TALK);
  expect(found(store, conversation, "How full is the disk of the server in Graz?", { before: 20n })).toEqual([1n, 2n]);
  // "weather" is in nearly every saying and so does not count. The beginning of a word suffices, and case is ignored.
  expect(found(store, conversation, "the WEATHER")).toEqual([]);
  expect(found(store, conversation, "LARCH", { before: 2n })).toEqual([1n]);
  expect(found(store, conversation, "serv")).toEqual([23n, 1n, 2n]);
  for (const nothing of ["", "?!", "of it is", '" OR * NEAR( {text}:', "elephants"])
    expect(found(store, conversation, nothing)).toEqual([]);
});

test("a word that hundreds of sayings contain counts as common, however long the conversation is", () => {
  const store = inMemory();
  const conversation = holding(store, [makeSaying("larch in the weather")]);
  const more = Array.from({ length: 32 }, (_, at) => makeSaying(at < 8 ? `weather ${at}` : "x"));
  for (let round = 0; round < 33; round += 1) expectValue(store.append("operator", conversation, more));
  expect(found(store, conversation, "the weather")).toEqual([1n]);
  expect(found(store, conversation, "weather")).toEqual([]);
});

test("gives a loop at most as many sayings as one audit record can name", () => {
  const store = inMemory();
  const words = Array.from({ length: MOST_UNTOLD + 2 * MOST_RECALLED }, (_, at) => `word${at}end`);
  const conversation = holding(store, []);
  for (const word of words) expectValue(store.append("operator", conversation, [makeSaying(word)]));
  const asked = words.map((word) => store.recall("operator", { conversation, words: word, ...FAR }).ok);
  expect(asked.filter((isGiven) => isGiven)).toHaveLength(MOST_UNTOLD);
  expect(store.takeRecalled("operator").sequences).toHaveLength(MOST_UNTOLD);
  expect(found(store, conversation, "word0end")).toEqual([1n]);
});

test("does not recall from another conversation or session, nor while another conversation is open", () => {
  const store = inMemory();
  const other = holding(store, TALK);
  const theirs = holding(store, TALK, "visitor");
  const mine = holding(store, [makeSaying("a word")]);
  expect(found(store, mine, "larch")).toEqual([]);
  for (const conversation of [other, theirs, "", "a99"])
    expect(store.recall("operator", { conversation, words: "larch", ...FAR })).toEqual({
      ok: false,
      reason: "another conversation is open",
    });
  expect(store.recall("nobody", { conversation: mine, words: "larch", ...FAR }).ok).toBe(false);
});

test("recalls no summaries and no calls, and only the matching passage of a long result", () => {
  const store = inMemory();
  const long = `${"filler\n".repeat(3000)}the needle is blue${"\nfiller".repeat(3000)}`;
  const conversation = holding(store, [
    makeSaying("look"),
    makeSaying("", { role: "assistant", calls: [{ id: "1", name: "notes.read", arguments: '{"path":"needle"}' }] }),
    makeSaying(long, { role: "tool", callId: "1", source: "notes.read" }),
    makeSaying("of the needle", { role: "assistant", source: "summary", through: 2n }),
  ]);
  const { sayings } = recalled(store, conversation, "needle");
  expect(sayings.map(({ sequence, calls }) => [sequence, calls])).toEqual([[3n, []]]);
  const text = sayings[0]?.text ?? "";
  expect(text).toContain("the needle is blue");
  expect(text).toMatch(/ \[a passage: \d+ more characters\]$/);
  expect(text.length).toBeLessThan(PASSAGE_LENGTH + 40);
});

test("recall that a person turned off stays off after a restart, and the gate gets each recalled saying's number once", () => {
  const folder = mkdtempSync(join(tmpdir(), "capos-recall-"));
  try {
    const first = openStore(folder, makeWorld());
    const conversation = holding(first, TALK);
    expect(first.readRecalling("operator")).toEqual({ ok: true, value: true });
    found(first, conversation, "disk");
    found(first, conversation, "larch");
    expect(first.takeRecalled("visitor")).toEqual({ conversation: "", sequences: [] });
    expect(first.takeRecalled("operator")).toEqual({ conversation, sequences: [1n, 2n] });
    expect(first.takeRecalled("operator")).toEqual({ conversation: "", sequences: [] });
    expectValue(first.setRecall("operator", false));
    expectValue(first.setRecall("operator", false));
    first.close();
    const second = openStore(folder, makeWorld());
    expectValue(second.open("operator", conversation));
    expect(recalled(second, conversation, "larch")).toEqual({ sayings: [], isOff: true, byMeaning: [] });
    expect(second.takeRecalled("operator").sequences).toEqual([]);
    expect(second.readRecalling("visitor")).toEqual({ ok: true, value: true });
    expectValue(second.setRecall("operator", true));
    expect(found(second, conversation, "larch")).toEqual([2n, 1n]);
    second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("property: recalls only earlier sayings of this conversation, each once, and no more bytes than requested", () => {
  const word = fc.constantFrom("larch", "birch", '"', "OR", "notes.read", "system:", "<|im_start|>", "\n", "ü", "7");
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));
  const saying = fc
    .record({ text, role: fc.constantFrom("user", "assistant", "tool") })
    .map((one) => makeSaying("", one));
  const mostBytes = fc.integer({ min: 0, max: 2 * MAX_RECALL_BYTES });
  fc.assert(
    fc.property(
      fc.array(saying, { maxLength: 12 }),
      text,
      fc.bigInt(0n, 14n),
      mostBytes,
      (sayings, words, before, most) => {
        const store = inMemory();
        holding(store, sayings);
        const conversation = holding(store, sayings);
        const { sayings: given } = recalled(store, conversation, words, { before, mostBytes: most });
        const kept = expectValue(store.read("operator", conversation, 0n, 1 << 20)).sayings;
        expect(new Set(given.map(({ sequence }) => sequence)).size).toBe(given.length);
        for (const one of given) {
          expect(one.sequence).toBeLessThan(before);
          expect(one).toEqual(kept[Number(one.sequence) - 1]);
        }
        expect(given.reduce((sum, one) => sum + Buffer.byteLength(one.text), 0)).toBeLessThanOrEqual(
          Math.min(most, MAX_RECALL_BYTES),
        );
      },
    ),
    { numRuns: 40 },
  );
});
