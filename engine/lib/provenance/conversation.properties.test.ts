// Tests the index of a conversation's words with random conversations. After any sequence of typed, pasted, read and
// written texts, the index must give the same results as a plain search for whole words.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Source } from "../wire/generated/policy.ts";
import { readChunk, restoreChunk, writeChunk } from "./chunks.ts";
import { addResult, addWritten } from "./results.ts";
import { SourceIndex } from "./source-index.ts";
import { viewSources } from "./view.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const WORDS = [
  "ada@a.example",
  "eve@e.example",
  "https://pay.example/x",
  "invoice-7.pdf",
  "holiday",
  "rent-2031",
  "1250",
];

type Step =
  | { readonly which: "person" | "pasted"; readonly text: readonly string[] }
  | {
      readonly which: "result";
      readonly service: string;
      readonly integrity: number;
      readonly texts: readonly (readonly string[])[];
      readonly asked: readonly string[];
    }
  | { readonly which: "written"; readonly service: string; readonly text: readonly string[] };

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 });
const service = fc.constantFrom("web", "mail");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ which: fc.constantFrom("person" as const, "pasted" as const), text }),
  fc.record({
    which: fc.constant("result" as const),
    service,
    integrity: fc.nat(2),
    texts: fc.array(text, { maxLength: 3 }),
    asked: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
  }),
  fc.record({ which: fc.constant("written" as const), service, text }),
);
const steps = fc.array(step, { maxLength: 12 });
const value = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 });

function tell(index: SourceIndex, one: Step): void {
  switch (one.which) {
    case "person":
    case "pasted":
      index.add({ which: one.which }, one.text.join(" "));
      return;
    case "written":
      addWritten(index, one.service, { body: one.text.join(" ") });
      return;
    case "result": {
      const { service: from, integrity, texts, asked } = one;
      const read = { rows: texts.map((words) => ({ body: words.join(", ") })) };
      addResult(index, {
        tool: `${from}.get`,
        service: from,
        integrity,
        value: read,
        arguments: { of: asked.join(" ") },
      });
    }
  }
}

function hear(all: readonly Step[]): SourceIndex {
  const index = new SourceIndex(KEY);
  for (const one of all) tell(index, one);
  return index;
}

function judge(index: SourceIndex, words: readonly string[], source: Source) {
  return viewSources(index, () => false).judge(words.join(" "), [source]);
}

/**
 * A text, found by a plain search, in which the words of a value occur in sequence. A result does not count if one of
 * the words is in the arguments of its call, or was written into the same service before.
 */
interface Place {
  readonly which: "person" | "pasted" | "result";
  readonly integrity: number;
}

function findPlaces(all: readonly Step[], words: readonly string[]): readonly Place[] {
  return all.flatMap((one, index): readonly Place[] => {
    if (one.which === "written") return [];
    if (one.which !== "result") return hasRun(one.text, words) ? [{ which: one.which, integrity: 0 }] : [];
    const before = all.slice(0, index);
    const echoes = new Set([
      ...one.asked,
      ...before.flatMap((other) => (other.which === "written" && other.service === one.service ? other.text : [])),
    ]);
    if (words.some((word) => echoes.has(word))) return [];
    return one.texts.filter((said) => hasRun(said, words)).map(() => ({ which: "result", integrity: one.integrity }));
  });
}

function hasRun(said: readonly string[], words: readonly string[]): boolean {
  return said.some((_, at) => words.every((word, index) => said[at + index] === word));
}

test("property: a value is from a person only if the person typed it", () => {
  fc.assert(
    fc.property(steps, value, (all, words) => {
      const isTyped = findPlaces(all, words).some(({ which }) => which === "person");
      expect(judge(hear(all), words, { which: "person" })).toBe(isTyped ? "strong" : "none");
      const isPasted = findPlaces(all, words).some(({ which }) => which === "pasted");
      expect(judge(hear(all), words, { which: "pasted" })).toBe(isPasted ? "weak" : "none");
    }),
    { numRuns: 500 },
  );
});

test("property: the integrity level of a value, and whether it is `untrusted`, follow from the places where it occurs", () => {
  fc.assert(
    fc.property(steps, value, fc.nat(2), (all, words, level) => {
      const places = findPlaces(all, words);
      const isHigh = places.some(({ which, integrity }) => which === "result" && integrity >= level);
      const isPerson = places.some(({ which }) => which === "person");
      const expected = isPerson ? "strong" : isHigh ? "weak" : "none";
      expect(judge(hear(all), words, { which: "atLeast", atLeast: level })).toBe(expected);
      const isTrusted = isPerson || places.some(({ which, integrity }) => which === "result" && integrity > 0);
      const isOnlyRead = places.length > 0 && !isTrusted;
      expect(judge(hear(all), words, { which: "untrusted" })).toBe(isOnlyRead ? "weak" : "none");
    }),
    { numRuns: 500 },
  );
});

test("property: later text of strangers never makes a person the source of a value", () => {
  const strangers = fc.array(step, { maxLength: 8 }).map((more) => more.filter(({ which }) => which !== "person"));
  fc.assert(
    fc.property(steps, strangers, value, (all, more, words) => {
      const before = judge(hear(all), words, { which: "person" });
      expect(judge(hear([...all, ...more]), words, { which: "person" })).toBe(before);
    }),
    { numRuns: 300 },
  );
});

test("property: a conversation that is restored at any moment gives the same results as one that never stopped", () => {
  fc.assert(
    fc.property(steps, fc.nat(12), value, fc.nat(2), (all, cut, words, level) => {
      const begun = hear(all.slice(0, cut));
      const read = readChunk(writeChunk(begun, 0, new Uint8Array()));
      if (!read.ok) throw new Error(read.reason);
      const again = new SourceIndex(KEY);
      restoreChunk(again, read.value);
      const whole = hear(all);
      for (const one of all.slice(cut)) tell(again, one);
      const sources: readonly Source[] = [
        { which: "person" },
        { which: "pasted" },
        { which: "untrusted" },
        { which: "atLeast", atLeast: level },
      ];
      expect(sources.map((source) => judge(again, words, source))).toEqual(
        sources.map((source) => judge(whole, words, source)),
      );
    }),
    { numRuns: 300 },
  );
});
