import fc from "fast-check";
import { expect, test } from "vitest";
import { check } from "../../../engine/lib/policy/testing/sample.ts";
import { addResult, SourceIndex, viewSources } from "../../../engine/lib/provenance/index.ts";
import type { Source } from "../../../engine/lib/wire/generated/policy.ts";
import { isAlwaysKnown } from "./certain.ts";
import { canHaveStandings, pickOrigins } from "./standings.ts";

const VALUE = "ada@example.com";
const isStrong = (tool: string) => tool === "contacts.find";
const field = (tool: string): Source => ({
  which: "field",
  field: { tool, name: "address", related: [], isStrong: isStrong(tool) },
});
const read = (tool: string, integrity: number) => (index: SourceIndex) =>
  addResult(index, { tool, service: tool.split(".")[0] ?? "", integrity, value: { address: VALUE }, arguments: {} });
const say = (which: "person" | "pasted" | "page") => (index: SourceIndex) => index.add({ which }, VALUE);

/**
 * Sources, each with a function that adds a text to the index. The text has this source, and as few other sources as
 * possible.
 */
const EXACT: readonly (readonly [Source, (index: SourceIndex) => void])[] = [
  [{ which: "person" }, say("person")],
  [{ which: "pasted" }, say("pasted")],
  [{ which: "page" }, say("page")],
  [field("contacts.find"), read("contacts.find", 1)],
  [field("letters.read"), read("letters.read", 0)],
];
const SOURCES: readonly Source[] = [
  ...EXACT.map(([source]) => source),
  { which: "untrusted" },
  { which: "atLeast", atLeast: 0 },
  { which: "atLeast", atLeast: 1 },
  { which: "atLeast", atLeast: 2 },
];
const PLACES = [...EXACT.map(([, place]) => place), read("contacts.find", 0), read("letters.read", 1), read("x.y", 2)];

function viewOf(places: readonly ((index: SourceIndex) => void)[], isComplete = true) {
  const index = new SourceIndex("0123456789abcdef0123456789abcdef");
  for (const place of places) place(index);
  if (!isComplete) index.markIncomplete();
  return viewSources(index, isStrong);
}

const anySources = (among: readonly Source[]) =>
  fc.array(fc.subarray([...among], { minLength: 1 }), { minLength: 1, maxLength: 4 });

test("property: standings that a value has in a conversation are reported as possible", () => {
  fc.assert(
    fc.property(fc.subarray(PLACES), fc.boolean(), anySources(SOURCES), (places, isComplete, asked) => {
      const view = viewOf(places, isComplete);
      const assumed = asked.map((sources) => ({ sources, standing: view.judge(VALUE, sources) }));
      expect(canHaveStandings(assumed)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test("property: a value that occurs only in the sources that `pickOrigins` returns has the assumed standings", () => {
  const among = EXACT.map(([source]) => source);
  const seen = { possible: 0, impossible: 0 };
  const anyStandings = fc.array(fc.constantFrom("strong", "weak", "none"), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(anySources(among), anyStandings, (asked, standings) => {
      const assumed = asked.map((sources, at) => ({ sources, standing: standings[at] ?? "none" }));
      const isPossible = canHaveStandings(assumed);
      seen[isPossible ? "possible" : "impossible"]++;
      if (!isPossible) return;
      const picked = pickOrigins(assumed).map(({ source }) => source);
      const view = viewOf(EXACT.flatMap(([source, place]) => (picked.includes(source) ? [place] : [])));
      for (const { sources, standing } of assumed) expect(view.judge(VALUE, sources)).toBe(standing);
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(seen.possible, seen.impossible)).toBeGreaterThan(100);
});

const person: Source = { which: "person" };
const pasted: Source = { which: "pasted" };
const untrusted: Source = { which: "untrusted" };

test.each([
  [
    "strong by `person, pasted` if it has no standing by `person`",
    { sources: [person], standing: "none" },
    "strong",
    [person, pasted],
  ],
  [
    "unknown by `person, pasted` if it has a known standing by `person`",
    { sources: [person], standing: "none" },
    "unknown",
    [person, pasted],
  ],
  ["weak by `untrusted` if it is strong by `person`", { sources: [person], standing: "strong" }, "weak", [untrusted]],
  [
    "unknown by `untrusted` if it is strong by `person`",
    { sources: [person], standing: "strong" },
    "unknown",
    [untrusted],
  ],
] as const)("no value is %s", (_, one, standing, sources) => {
  expect(canHaveStandings([one, { sources, standing }])).toBe(false);
});

test("a `from` condition is not always known, because a conversation may lose texts that it read", () => {
  const text = { which: "text", text: { maxBytes: 64 } } as const;
  expect(isAlwaysKnown(text, check("to", "equal", "a"))).toBe(true);
  expect(isAlwaysKnown(text, { ...check("to", "from"), literals: [], sources: [person] })).toBe(false);
});
