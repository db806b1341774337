import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reflectStandard } from "../compiler/reflect/index.ts";
import { boundedSource, parse } from "../lang/grammar/index.ts";
import type { FileTree } from "../lang/tree/index.ts";

const MODULES = ["categories", "lattice", "profiles", "tools"];

async function treeOf(module: string): Promise<FileTree> {
  const bounded = boundedSource(`std/${module}.cap`, readFileSync(new URL(`${module}.cap`, import.meta.url)));
  if (!bounded.ok) throw new Error(bounded.diagnostic.message);
  const { tree, diagnostics } = await parse(bounded.source);
  expect(diagnostics).toEqual([]);
  return tree;
}

const STANDARD = reflectStandard().filter(({ file }) => file === "tools.capnp");

test("every method of the standard interfaces is classified, and nothing else is", async () => {
  const facts = (await treeOf("tools")).items.flatMap((item) => (item.kind === "interface" ? [item] : []));
  const written = facts.map(({ name, methods }) => [name.text, methods.map((method) => method.name.text).sort()]);
  const described = STANDARD.map(({ name, methods }) => [name, methods.map((method) => method.name).sort()]);
  expect(new Map(written as [string, string[]][])).toEqual(new Map(described as [string, string[]][]));
});

test("every method of the standard interfaces can be called with JSON, and is described to the model", () => {
  const methods = STANDARD.flatMap((face) => face.methods.map((method) => ({ face: face.name, ...method })));
  expect(methods.filter(({ callable }) => !callable)).toEqual([]);
  expect(methods.filter(({ doc }) => doc === "")).toEqual([]);
  expect(STANDARD.filter(({ doc }) => doc === "")).toEqual([]);
});

test.each(MODULES)("everything that std.%s declares has a doc comment, and no comment is astray", async (module) => {
  const { items, strayDocs } = await treeOf(module);
  const methods = items.flatMap((item) => (item.kind === "interface" ? item.methods : []));
  expect([...items, ...methods].filter((item) => "doc" in item && item.doc === "")).toEqual([]);
  expect(strayDocs).toEqual([]);
});
