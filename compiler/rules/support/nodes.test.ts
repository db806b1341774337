import { expect, test } from "vitest";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import { listLabels, listNames, listReferences, listWords } from "./nodes.ts";

async function treeOf(text: string): Promise<FileTree> {
  const source = createSourceText("system.cap", text);
  const { tree, diagnostics } = await parse(source);
  expect(diagnostics).toEqual([]);
  return tree;
}

const PAGE = `system sample version "1.0" {
  use std.tools
  session operator {
    clearance internal:{hr}
    permit { auto notes.read  forbidden Files.write where path under "/a" else consent }
    when confidentiality >= secret { atLeast consent readOnly }
  }
  waive trifecta because "CHG-1"
}`;

test("listWords returns every text of a page with the field that contains it", async () => {
  const words = listWords(await treeOf(PAGE)).map(({ role, node }) => [role, node.value]);
  expect(Object.fromEntries(words)).toEqual({ version: "1.0", root: "/a", because: "CHG-1" });
});

test("listReferences returns every reference, and listNames returns their parts and single names", async () => {
  const tree = await treeOf(PAGE);
  const references = listReferences(tree).map(({ node }) => node.text);
  expect(references.toSorted()).toEqual(expect.arrayContaining(["Files.write", "notes.read", "path", "readOnly"]));
  const names = listNames(tree).map(({ node }) => node.text);
  for (const name of ["sample", "operator", "Files", "write", "trifecta", "hr", "internal"])
    expect(names).toContain(name);
  expect(names).not.toContain("notes.read");
  const roleOf = (name: string) => listNames(tree).find(({ node }) => node.text === name)?.role;
  expect([roleOf("operator"), roleOf("hr"), roleOf("internal")]).toEqual(["name", "compartments", "level"]);
});

test("listLabels returns every label with its level and compartments", async () => {
  const [label, ...others] = listLabels(await treeOf(PAGE));
  expect(others).toEqual([]);
  expect([label?.node.level.text, label?.node.compartments.map(({ text }) => text)]).toEqual(["internal", ["hr"]]);
});

test("texts are found in arguments of the maximum depth", async () => {
  const depth = 60;
  const nested = `${"{ a: ".repeat(depth)}"bottom"${" }".repeat(depth)}`;
  const tree = await treeOf(`system sample { test "t" { as operator call notes.read ${nested} expect auto } }`);
  expect(listWords(tree).map(({ node }) => node.value)).toEqual(expect.arrayContaining(["t", "bottom"]));
});

test("a tree is walked only once, and a second call returns the same list", async () => {
  const tree = await treeOf(PAGE);
  expect(listWords(tree)).toBe(listWords(tree));
});

test("numbers, booleans and records of arguments are not texts", async () => {
  const tree = await treeOf(`system sample {
    session operator { permit { auto shop.buy where gift == true and count in [1, 2] and colour in ["red", "green"] else consent } }
    test "t" { as operator call shop.buy { gift: true, count: 3, size: { names: ["a", "b"] } } expect auto }
  }`);
  expect(
    listWords(tree)
      .map(({ node }) => node.value)
      .toSorted(),
  ).toEqual(["a", "b", "green", "red", "t"]);
});

test("lists of labels, references and texts are empty for a page without any", async () => {
  const tree = await treeOf("system sample {}");
  expect(listLabels(tree)).toEqual([]);
  expect(listReferences(tree)).toEqual([]);
  expect(listWords(tree)).toEqual([]);
  expect(listNames(tree).map(({ role, node }) => [role, node.text])).toEqual([["name", "sample"]]);
});
