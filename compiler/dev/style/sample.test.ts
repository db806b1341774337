import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { drawSentences, expandBraces, readSeed } from "./drawing.ts";
import { collectSentences, KINDS, readPassages, readTestNames, type Sentence } from "./sentences.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const SENTENCES = await collectSentences(CHECKOUT);

test("a sample has 100 sentences, including every kind, each with its place", () => {
  const sample = drawSentences(SENTENCES, "a seed");
  expect(sample.length).toBe(100);
  expect([...new Set(sample.map(({ kind }) => kind))]).toEqual([...KINDS]);
  expect(sample.filter(({ place }) => !/^(?:\S+:\d+|capc \S+( --\S+)?)$/.test(place))).toEqual([]);
});

test("a seed always selects the same sentences, and another seed selects other sentences", () => {
  const made = (count: number): readonly Sentence[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: "spec" as const,
      place: `a.md:${index}`,
      text: `sentence ${index} of a page`,
      around: "",
    }));
  const placesOf = (seed: string) => drawSentences(made(40), seed).map(({ place }) => place);
  expect(placesOf("fixed")).toEqual(
    ["6", "4", "36", "22", "21", "30", "7", "20", "33", "39"].map((line) => `a.md:${line}`),
  );
  expect(placesOf("other")).not.toEqual(placesOf("fixed"));
});

test("paragraphs, entries and cells of a page are sentences, each with its heading; code and headings are not", () => {
  const page =
    "# Title\n\nOne two\nthree. Four.\n\n- Entry\n  goes on\n- Next\n\n```sh\ncode\n```\n\n| a | b c |\n|---|---|\n| d | |\n\n| e |\n|---|\n| f |\n";
  expect(readPassages(page)).toEqual([
    { line: 3, text: "One two three. Four.", below: "# Title" },
    { line: 6, text: "Entry goes on", below: "# Title" },
    { line: 8, text: "Next", below: "# Title" },
    { line: 14, text: "a", below: "# Title | a | b c |" },
    { line: 14, text: "b c", below: "# Title | a | b c |" },
    { line: 16, text: "d", below: "# Title | a | b c | | d | |" },
    { line: 18, text: "e", below: "# Title | e |" },
    { line: 20, text: "f", below: "# Title | e | | f |" },
  ]);
});

test("the name of a test ends at the quotation mark with which it began", () => {
  const source = 'test("a rule with `else` is found", () => {});\ntest(`the "%s" is found`, () => {});\n';
  expect(readTestNames("a.test.ts", source)).toEqual([
    { line: 1, text: "a rule with `else` is found" },
    { line: 2, text: 'the "%s" is found' },
  ]);
});

test("a pattern with braces expands to one pattern for each alternative", () => {
  expect(expandBraces("{a,b/{c,d}}.{x,y}").toSorted()).toEqual(["a.x", "a.y", "b/c.x", "b/c.y", "b/d.x", "b/d.y"]);
});

test("the seed is the hash of the last commit that touched a page or a source", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-seed-"));
  const git = (...words: string[]): string => {
    const named = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    return spawnSync("git", ["-C", folder, ...named, ...words], { encoding: "utf8" }).stdout.trim();
  };
  const commit = (file: string): string => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "text");
    git("add", "--all");
    git("commit", "--quiet", "-m", "Add a file");
    return git("rev-parse", "HEAD");
  };
  try {
    git("init", "--quiet");
    commit("README.md");
    const last = commit("engine/lib/a.ts");
    commit("golden/tables.txt");
    expect(readSeed(folder)).toEqual({ seed: last, note: "" });
    writeFileSync(join(folder, "README.md"), "other text");
    expect(readSeed(folder).note).toBe(" (there are changes that are not committed)");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
