import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Answerer } from "./answerer.ts";
import type { Case, ExpectedAnswer } from "./cases.ts";
import type { Answer } from "./judging.ts";
import { measureSet } from "./measuring.ts";
import { renderComparison, renderRow } from "./table.ts";

const caseOf = (wanted: ExpectedAnswer): Case => ({ tools: [], messages: [], wanted });
const called = (name: string, json = "{}"): Answer => ({ text: "", calls: [{ id: "1", name, arguments: json }] });
const WORDS: Answer = { text: "I have nothing for that.", calls: [] };
const WANTED: ExpectedAnswer = { kind: "call", name: "a.b", arguments: {} };

/** Returns an answerer with these answers in order, each of which takes one second of processor time. */
function saying(...answers: readonly Answer[]): Answerer {
  const left = [...answers];
  return { ask: async () => ({ answer: left.shift() ?? WORDS, cpuSeconds: 1 }), close: () => undefined };
}

test("runs a set of cases, and measures how many tool names and whole answers are right, the seconds and the errors", async () => {
  const told: (string | undefined)[] = [];
  const cases = Array.from({ length: 5 }, () => caseOf(WANTED));
  const answers = [called("a.b"), called("a.b", '{"x":1}'), called("a.c"), called("a.c"), WORDS];
  const one = await measureSet(saying(...answers), "seen", cases, (_, __, error) => told.push(error));
  expect(told).toEqual([
    ...[undefined, "called with other arguments", "called another tool", "called another tool", "did not call"],
  ]);
  expect(one).toMatchObject({ set: "seen", cases: 5, cpuSeconds: 1, name: { right: 0.4 }, full: { right: 0.2 } });
  // The errors are in the order in which the table of figures shows them.
  expect(Object.entries(one.errors)).toEqual([
    ["called another tool", 2],
    ["did not call", 1],
    ["called with other arguments", 1],
  ]);
  expect(renderRow(one)).toBe(
    "| seen | 5 | 40.0 (12–77) | 20.0 (4–62) | 1.00 | 2 called another tool, 1 did not call, 1 called with other arguments |\n",
  );
});

test("a set without cases has the widest confidence interval", async () => {
  const none = await measureSet(saying(), "none", [], () => undefined);
  expect(none).toEqual({
    ...{ set: "none", cases: 0, cpuSeconds: 0, errors: {} },
    ...{ name: { right: 0, low: 0, high: 1 }, full: { right: 0, low: 0, high: 1 } },
  });
});

test("compares models in columns, with a dash if a set was not measured, and a single share for a set that expects text", async () => {
  const seen = await measureSet(saying(called("a.b")), "seen", [caseOf(WANTED)], () => undefined);
  const cases = Array.from({ length: 3 }, () => caseOf({ kind: "words" }));
  const none = { ...(await measureSet(saying(), "none", cases, () => undefined)), cpuSeconds: 3 };
  const table = renderComparison([
    { name: "ours", megabytes: 78.4, results: [seen, none] },
    { name: "another", megabytes: 35, results: [none] },
    { name: "nobody", megabytes: 0, results: [] },
  ]);
  expect(table.split("\n")).toEqual([
    "| % | ours, 78 MB | another, 35 MB | nobody, 0 MB |",
    "| --- | --: | --: | --: |",
    "| seen | 100.0 (21–100), 100.0 (21–100), n 1 | – | – |",
    "| none | 100.0 (44–100), n 3 | 100.0 (44–100), n 3 | – |",
    "| CPU s a case | 2.50 | 3.00 | 0.00 |",
    "",
  ]);
});

test("the published figures and the transcript of examples/offline-agent name the committed weights", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const { sha256 }: { sha256: string } = JSON.parse(read("../../../model/agent/weights.json"));
  const [, figures = ""] = /<!-- figures -->\n(.*)<!-- \/figures -->/s.exec(read("../README.md")) ?? [];
  expect(figures).toContain(` SHA-256 of our weights: ${sha256.slice(0, 16)}….`);
  const [, transcript = ""] =
    /<!-- transcript: begin -->\n(.*)<!-- transcript: end -->/s.exec(
      read("../../../../examples/offline-agent/README.md"),
    ) ?? [];
  expect(transcript).toContain(`With llama:sha256-${sha256.slice(0, 12)}…:`);
});
