import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isError } from "../lang/diagnostics/index.ts";
import { fencesOf, framed } from "../lang/spec/fences.ts";
import { compile } from "./compile.ts";
import { BESIDE } from "./dev/fixtures/facts.ts";
import { testSurroundings } from "./dev/fixtures/surroundings.ts";
import { createMemoryHost } from "./phases/source/index.ts";
import { LAWS } from "./rules/laws.ts";

// Compiles the examples of the specification: each correct example compiles, and each wrong example breaks exactly the
// law that it names.

const SPEC = new URL("../lang/spec/", import.meta.url);
const FRAME = readFileSync(new URL("frame.cap", SPEC), "utf8");

const EXAMPLES = readdirSync(SPEC)
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => {
    const fences = fencesOf(readFileSync(new URL(name, SPEC), "utf8"));
    return fences.map((fence, index) => ({ name: `${name} ${index + 1}`, ...fence }));
  })
  .filter(({ marks }) => marks.length > 0);

async function errorsOf(text: string): Promise<string[]> {
  const host = createMemoryHost({ ...BESIDE, "/system.cap": text }, "2026-01-01");
  const { diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  return diagnostics.filter(isError).map(({ code, message }) => `${code}: ${message}`);
}

test.each(EXAMPLES.filter(({ marks }) => marks[0] !== "wrong"))(
  "$name compiles without errors",
  async ({ marks, text }) => {
    expect(await errorsOf(marks[0] === "whole" ? text : framed(FRAME, text))).toEqual([]);
  },
);

test.each(EXAMPLES.filter(({ marks }) => marks[0] === "wrong"))(
  "$name breaks the law that it names",
  async ({ marks, text }) => {
    const errors = await errorsOf(framed(FRAME, text));
    expect(errors.map((error) => error.split(":", 1)[0])).toEqual([marks[1]]);
  },
);

test("each marked example has the mark `whole`, `example` or `wrong`", () => {
  const known = new Set(["whole", "example", "wrong"]);
  expect(EXAMPLES.filter(({ marks }) => !known.has(marks[0] ?? "")).map(({ name }) => name)).toEqual([]);
  expect(EXAMPLES.length).toBeGreaterThan(40);
});

test("every law is named on a page of the specification", () => {
  const pages = globSync("*.md", { cwd: SPEC.pathname }).map((name) => readFileSync(new URL(name, SPEC), "utf8"));
  const named = new Set([...pages.join("\n").matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code]) => code));
  const codes = Object.values(LAWS).flatMap(({ reports }) => reports.map(({ code }) => code));
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});
