import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../compiler/dev/fixtures/facts.ts";
import { INHERITED } from "../compiler/phases/bind/model/flows.ts";
import { reflectStandard } from "../compiler/phases/reflect/index.ts";
import { LIBRARY_SERVICES } from "../engine/lib/roles/index.ts";
import { formatFile } from "../lang/format/index.ts";
import { decodeSource, parse } from "../lang/grammar/index.ts";
import type { FileTree } from "../lang/tree/index.ts";

const MODULES = ["assertions", "categories", "lattice", "profiles", "tools"];

async function treeOf(module: string): Promise<FileTree> {
  const bounded = decodeSource(`std/${module}.cap`, readFileSync(new URL(`${module}.cap`, import.meta.url)));
  if (!bounded.ok) throw new Error(bounded.diagnostic.message);
  const { tree, diagnostics } = await parse(bounded.source);
  expect(diagnostics).toEqual([]);
  return tree;
}

const STANDARD = reflectStandard().filter(({ file }) => file === "tools.capnp");

test("`std.tools` classifies every method of the standard interfaces, and no other method", async () => {
  const facts = (await treeOf("tools")).items.flatMap((item) => (item.kind === "interface" ? [item] : []));
  const written = facts.map(({ name, methods }) => [name.text, methods.map((method) => method.name.text).sort()]);
  const described = STANDARD.map(({ name, methods }) => [name, methods.map((method) => method.name).sort()]);
  expect(new Map(written as [string, string[]][])).toEqual(new Map(described as [string, string[]][]));
});

test("every method of the standard interfaces can be called with JSON, and has a description", () => {
  const methods = STANDARD.flatMap((face) => face.methods.map((method) => ({ face: face.name, ...method })));
  expect(methods.filter(({ callable }) => !callable)).toEqual([]);
  expect(methods.filter(({ doc }) => doc === "")).toEqual([]);
  expect(STANDARD.filter(({ doc }) => doc === "")).toEqual([]);
});

test("each program of the library has a test in its folder that calls it", () => {
  const folder = new URL("services/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  const tests = names.map((name) => readFileSync(new URL(name, folder), "utf8"));
  const programs = Object.entries(LIBRARY_SERVICES).filter(([, { by }]) => by === "own");
  const uncalled = programs.filter(([face]) => !tests.some((text) => text.includes(` : ${face} {`)));
  // The program of ActionPlans is built from engine/outside/osd, which has its own tests, not in services/.
  expect(uncalled.map(([face]) => face)).toEqual(["ActionPlans"]);
});

test.each(MODULES)(
  "in std.%s every declaration has a doc comment, and every doc comment has a declaration",
  async (module) => {
    const { items, strayDocs } = await treeOf(module);
    const methods = items.flatMap((item) => (item.kind === "interface" ? item.methods : []));
    expect([...items, ...methods].filter((item) => "doc" in item && item.doc === "")).toEqual([]);
    expect(strayDocs).toEqual([]);
  },
);

test.each(MODULES)("std.%s has the form of `capc fmt`", async (module) => {
  const { source } = await treeOf(module);
  expect(await formatFile(source)).toMatchObject({ value: source.text });
});

test("assertions.cap lists exactly the inherited assertions that `waive` accepts", () => {
  const text = readFileSync(new URL("assertions.cap", import.meta.url), "utf8");
  expect([...text.matchAll(/^\/\/ {3}([a-z-]+) {2,}/gm)].map(([, name]) => name)).toEqual([...INHERITED]);
});

test("a page that imports the whole library has no finding", async () => {
  const uses = MODULES.filter((module) => module !== "tools")
    .map((module) => `use std.${module}`)
    .join("  ");
  const { diagnostics, advice } = await compilePage(renderFactsPage({ top: uses }));
  expect(diagnostics.map(({ code }) => code)).toEqual([]);
  expect(advice.filter(({ span }) => span.source.path.startsWith("std/"))).toEqual([]);
});

test.each([
  [
    "operator",
    { readOnly: "auto", mutatingLocal: "consent", destructive: "stepUp", outboundNet: "consent", admin: "stepUp" },
  ],
  ["guest", { readOnly: "auto" }],
  ["anonymous", { readOnly: "auto" }],
])("the profile %s permits exactly the expected categories", async (profile, permitted) => {
  const { items } = await treeOf("profiles");
  const session = items.find((item) => item.kind === "session" && item.name.text === profile);
  if (session?.kind !== "session") throw new Error(`no profile ${profile}`);
  const lines = session.attributes.flatMap((attribute) => (attribute.kind === "permit" ? attribute.lines : []));
  const modes = lines.flatMap(({ mode, patterns }) =>
    patterns.map((pattern) => [pattern.kind === "named" ? pattern.name.text : pattern.kind, mode.mode] as const),
  );
  expect(Object.fromEntries(modes)).toEqual(permitted);
});
