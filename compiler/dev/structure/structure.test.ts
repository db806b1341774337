import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findCycles, placeAt } from "./cycles.ts";
import { findUnusedExports, namesIn } from "./exports.ts";
import { findFunctions, hasVerbFirst } from "./functions.ts";
import { readImports, testFinder } from "./imports.ts";
import { findRoom } from "./rooms.ts";
import { findModuleCycles, findModuleEdges } from "./rust.ts";
import { findSignatures, isExempt, isFlag, isTextBesideValue } from "./signatures.ts";

const CHAIN = [
  { from: "a/x/1.ts", to: "b/y/1.ts" },
  { from: "b/y/2.ts", to: "c/z/1.ts" },
];

test("a place is a folder of some depth, or a file that lies higher", () => {
  expect(placeAt("a/b/c/d.ts", 2)).toBe("a/b");
  expect(placeAt("a/d.ts", 3)).toBe("a/d.ts");
});

test("a room is a folder of the second level, or of the third in a group", () => {
  expect(findRoom("lang/grammar/rules/tasks.ts")).toBe("lang/grammar");
  expect(findRoom("compiler/cli/diff/revision.ts")).toBe("compiler/cli");
  expect(findRoom("compiler/phases/bind/bind.ts")).toBe("compiler/phases/bind");
  expect(findRoom("engine/processes/gate")).toBe("engine/processes/gate");
  expect(findRoom("compiler/compile.ts")).toBe("compiler/compile.ts");
});

test("folders that import in one direction form no cycle", () => {
  expect([1, 2, 3].map((depth) => findCycles(CHAIN, depth))).toEqual([[], [], []]);
});

test("folders form a cycle even if none of their files does", () => {
  const back = { from: "c/z/2.ts", to: "a/x/2.ts" };
  expect(findCycles([...CHAIN, back], 1)).toEqual([
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "c", to: "a" },
  ]);
  expect(findCycles([...CHAIN, back], 3)).toEqual([]);
});

test("imports that only lead to a cycle are not part of it", () => {
  const ring = [
    { from: "x.ts", to: "a.ts" },
    { from: "a.ts", to: "b.ts" },
    { from: "b.ts", to: "a.ts" },
  ];
  expect(findCycles(ring, 1).map(({ from }) => from)).toEqual(["a.ts", "b.ts"]);
});

// In pieces, so that this file imports none of these.
const IMPORTING = [
  ["import { a }", "from './a.ts';"],
  ["import type {\n  B,\n}", "from '../b.ts';"],
  ["export * from", "'./inner/c.ts';"],
  ["import", "'./effect.ts';"],
  ["const d = await import(", "'./d.ts');"],
  ["import { readFileSync } from", "'node:fs';"],
]
  .map((parts) => parts.join(" "))
  .join("\n");

test("every form of an import is found, and packages are none", () => {
  const checkout = mkdtempSync(join(tmpdir(), "capc-imports-"));
  try {
    mkdirSync(join(checkout, "x"));
    writeFileSync(join(checkout, "x/y.ts"), IMPORTING);
    const found = readImports(checkout, "x/y.ts");
    expect(found.map(({ from }) => from)).toEqual(found.map(() => "x/y.ts"));
    expect(found.map(({ to }) => to).sort()).toEqual(["b.ts", "x/a.ts", "x/d.ts", "x/effect.ts", "x/inner/c.ts"]);
  } finally {
    rmSync(checkout, { recursive: true });
  }
});

/** Returns `from to` for each edge between the modules of a crate in `c/src`, without that folder. */
function edgesOf(files: Readonly<Record<string, string>>): readonly string[] {
  const sources = new Map(Object.entries(files).map(([path, text]) => [`c/src/${path}`, text]));
  const short = (name: string): string => name.replace(/^c\/src\/?/, "") || "crate";
  return findModuleEdges(sources).map(({ from, to }) => `${short(from)} ${short(to)}`);
}

const MODULES = { "lib.rs": "pub mod a;\nmod b;", "a.rs": "mod x;\nmod y;", "a/x.rs": "", "a/y.rs": "", "b.rs": "" };
const DECLARED_MODULES = ["crate a", "crate b", "a a/x", "a a/y"];

test.each([
  ["a use from the crate", "use crate::b::Thing;", ["a/x b"]],
  ["a use of a sibling", "pub use super::y::{self, Thing as Other};", ["a/x a/y"]],
  ["a tree over lines", "use crate::{\n    a::y::{One, Two},\n    b,\n};", ["a/x a/y", "a/x b"]],
  ["an item of the module above", "pub(super) use super::Thing;", ["a/x a"]],
  ["everything of the module above", "use super::*;", ["a/x a"]],
  ["a path in an expression", "fn f() { crate::b::g(super::y::H) }", ["a/x b", "a/x a/y"]],
  ["a module two levels up", "use super::super::b::Thing;", ["a/x b"]],
  ["what a build writes", "use crate::wire_capnp::frame;", []],
  ["the standard library", "use std::io::{self, Read as _};", []],
  ["a comment or a text", `// use crate::b;\n/* use super::y; */ const A: &str = "crate::b::g { ";`, []],
  ["a test", "#[cfg(test)]\nmod tests {\n    use crate::b::Thing;\n    fn f() {}\n}\n#[cfg(test)]\nmod more;", []],
  ["what stands behind a test", "#[cfg(test)]\nmod tests { fn f() { g('{') } }\nuse crate::b;", ["a/x b"]],
])("a Rust module names another by %s", (_, text, expected) => {
  expect([...edgesOf({ ...MODULES, "a/x.rs": text })].sort()).toEqual([...DECLARED_MODULES, ...expected].sort());
});

test("a Rust module that names the module above it is in a circle, and so are modules whose inner ones are not", () => {
  const cyclesOf = (files: Readonly<Record<string, string>>): readonly string[] =>
    findModuleCycles(findModuleEdges(new Map(Object.entries(files)))).map(({ from, to }) => `${from} ${to}`);
  expect(cyclesOf({ "s/lib.rs": "mod a;", "s/a.rs": "mod x;", "s/a/x.rs": "use super::T;" })).toEqual([
    "s/a s/a/x",
    "s/a/x s/a",
  ]);
  const apart = {
    "s/lib.rs": "mod a;\nmod b;",
    "s/a.rs": "mod x;\nmod y;",
    "s/b.rs": "mod x;\nmod y;",
    "s/a/x.rs": "use crate::b::x::T;",
    "s/a/y.rs": "",
    "s/b/x.rs": "",
    "s/b/y.rs": "use crate::a::y::T;",
  };
  expect(cyclesOf(apart)).toEqual(["s/a s/b", "s/b s/a"]);
  expect(cyclesOf({ ...apart, "s/b/y.rs": "" })).toEqual([]);
});

test("a file that only tests import is a test, also through another one", () => {
  const isTest = testFinder([
    { from: "a.test.ts", to: "fixture.ts" },
    { from: "fixture.ts", to: "deep.ts" },
    { from: "a.test.ts", to: "product.ts" },
    { from: "main.ts", to: "product.ts" },
  ]);
  expect(["a.test.ts", "fixture.ts", "deep.ts", "product.ts", "main.ts"].map(isTest)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("finds declarations, arrows with a name and methods, and no statement", () => {
  const text = `export async function readPage(path: string): Promise<void> {
  const sizeOf = (path: string): number => path.length;
  if (sizeOf(path) > 0) {
    return;
  }
}
class Gate {
  constructor(private readonly name: string) {
  }
  async open(name: string): Promise<void> {
  }
}
`;
  expect([...findFunctions(text)].sort()).toEqual(["open", "readPage", "sizeOf"]);
});

test.each([
  ["readPage", true],
  ["isEmpty", true],
  ["Lower", true],
  ["wordsOf", false],
  ["unlooked", false],
])("%s begins with a verb: %s", (name, expected) => {
  expect(hasVerbFirst(name)).toBe(expected);
});

/** Returns `path exports name` for each unused export of files that are given as texts. */
function unusedOf(files: Readonly<Record<string, string>>): readonly string[] {
  const all = Object.entries(files).map(([path, text]) => namesIn(text, path));
  const names = { exports: all.flatMap(({ exports }) => exports), taken: all.flatMap(({ taken }) => taken) };
  return findUnusedExports(names, []).map(({ path, name }) => `${path} exports ${name}`);
}

// Lines of a list, and FILE for a path: this file is read by what it tests.
const DECLARATIONS = [
  "export const size = 1;",
  "export async function readPage(): Promise<void> {}",
  "export function* eachLine(): Generator<string> {}",
  "export abstract class Gate {}",
  "export interface Page {}",
  "export type Line = string;",
  "const left = 1, right = 2;",
  "export { left, right as other };",
  "export default size;",
  "const inner = 1;",
].join("\n");
const DECLARED = ["size", "readPage", "eachLine", "Gate", "Page", "Line", "default", "left", "other"];

test("every form of a declaration is an export, and is unused if nobody imports it", () => {
  expect(unusedOf({ "a.ts": DECLARATIONS })).toEqual(DECLARED.map((name) => `a.ts exports ${name}`));
});

test.each([
  [
    "a list over lines",
    `import first, {\n  size,\n  type Page as Leaf,\n} from "./a.ts";`,
    ["size", "Page", "default"],
  ],
  ["a list of types", `import type { Line } from "./a.ts";`, ["Line"]],
  ["what a namespace is asked for", `import * as a from "./a.ts";\nwrite(a.size, a.left);`, ["size", "left"]],
  ["a namespace that is handed on", `import * as a from "./a.ts";\nwrite(a);`, DECLARED],
  ["a list of import()", `const { size, other: mine } = await import("FILE");`, ["size", "other"]],
  ["a property of import()", `run(async () => (await import("FILE")).readPage);`, ["readPage"]],
  ["a type of import()", `type Own = import("FILE").Page;`, ["Page"]],
  ["import() that is handed on", `write(await import("FILE"));`, DECLARED],
  ["an import for its effect", `import "./a.ts";`, []],
  ["another file of that name", `import { size } from "./b/a.ts";`, []],
])("an import uses %s", (_, text, used) => {
  const left = DECLARED.filter((name) => !used.includes(name)).map((name) => `a.ts exports ${name}`);
  expect(unusedOf({ "a.ts": DECLARATIONS, "user.ts": text.replaceAll("FILE", "./a.ts") })).toEqual(left);
});

test("a path is resolved from the folder of the file that imports", () => {
  expect(unusedOf({ "x/a.ts": "export const size = 1;", "y/z/b.ts": `import { size } from "../../x/a.ts";` })).toEqual(
    [],
  );
});

test("a re-export is used only where somebody imports it, and passes that on", () => {
  const files = {
    "a.ts": "export const size = 1;\nexport const depth = 2;\nexport const width = 3;",
    "index.ts": `export { size as length, depth } from "./a.ts";`,
    "outer.ts": `export * from "./index.ts";`,
  };
  expect(unusedOf({ ...files, "user.ts": `import { length } from "./outer.ts";` })).toEqual([
    "a.ts exports depth",
    "a.ts exports width",
    "index.ts exports depth",
  ]);
  expect(unusedOf({ ...files, "user.ts": `import { width } from "./a.ts";` })).toContain("outer.ts exports *");
});

test("a file does not import its own export", () => {
  expect(unusedOf({ "a.ts": "export const size = 1;\nexport const twice = size * 2;" })).toHaveLength(2);
});

test("an exemption covers names of files, and what they pass on is used", () => {
  const passed = namesIn(`export { size } from "./a.ts";`, "plugin.ts");
  const { exports } = namesIn("export const size = 1;\nexport const depth = 2;", "a.ts");
  const names = { exports: [...exports, ...passed.exports], taken: [] };
  const exemption = { files: /^plugin\.ts$/, names: /^size$/, reason: "a tool loads it" };
  expect(findUnusedExports(names, [exemption]).map(({ name }) => name)).toEqual(["depth"]);
});

// Each with its name and how many parameters it has.
const SIGNATURES = [
  ["a declaration", "export async function read(a: string, b = 1): Promise<void> {", "read", 2],
  ["a generic declaration", "function pick<T extends Map<string, number>>(a: T) {", "pick", 1],
  ["an arrow", "const f = (a: Map<string, number>, b: (c: string) => void): void => {};", "f", 2],
  ["an arrow of a property", "const one = { f: async (a, { b, c }) => a };", "f", 2],
  ["an arrow without a name", "run((a, b, c) => a);", "", 3],
  ["a method", "  async #open(a: string, b: number): Promise<Map<string, { readonly a: 1 }>> {", "#open", 2],
  ["a constructor", "  constructor(private readonly a: string) {", "constructor", 1],
  ["a method of an interface", "  open(a: string, b?: number): void;", "open", 2],
  ["a type", "  readonly open: (a: string, b: string) => void;", "open", 2],
  ["parameters with texts", `function f(a = "(,", b = /[),]/, c = \`\${g(1, 2)},\`) {`, "f", 3],
] as const;

test.each(SIGNATURES)("finds the parameters of %s", (_, text, name, count) => {
  expect(findSignatures(text).map((each) => [each.name, each.parameters.length])).toContainEqual([name, count]);
});

test.each([
  ["a call", "run(a, b);"],
  ["a condition", "if (a) {"],
  ["a call before an arrow of a choice", "const x = isOpen ? run(a, b) : (c: number) => c;", 1],
  ["a comment", "// function f(a, b) {"],
  ["a text", 'const x = "function f(a, b) {";'],
  ["a template", `const x = \`\${[\`function f(a, b) {\`]}\`;`],
])("%s has no parameters", (_, text, others = 0) => {
  expect(findSignatures(text)).toHaveLength(others);
});

test.each([
  ["isOpen: boolean", true],
  ["isOpen?: boolean | undefined", true],
  ["private readonly isOpen = true", true],
  ["isOpen = false", true],
  ["isOpen: () => boolean", false],
  ["isOpen: (a: string) => boolean = () => true", false],
  ["{ isOpen }: Door", false],
  ['door: "open" | "shut" = "open"', false],
  ["value: boolean | string", false],
])("%s is a flag: %s", (parameter, expected) => {
  expect(isFlag(parameter)).toBe(expected);
});

test.each([
  ["function f(a: string): number | string {", "number | string", true],
  ["function f(): { readonly a: 1 } | string {", "{ readonly a: 1 } | string", true],
  ["async f(): Promise<Map<string, number> | string> {", "Promise<Map<string, number> | string>", true],
  ["const f = (): 0 | string => 0;", "0 | string", true],
  ["interface A { \n  f(): Buffer | string;\n}", "Buffer | string", true],
  ["function f(): string | undefined {", "string | undefined", false],
  ["function f(): Map<string | number, string> {", "Map<string | number, string>", false],
  ["function f(a: number | string): Result<number> {", "Result<number>", false],
  ["function f() {", "", false],
])("%s returns a failure as a text: %s, %s", (text, returned, expected) => {
  expect(findSignatures(text).map((each) => each.returned)).toEqual([returned]);
  expect(isTextBesideValue(returned)).toBe(expected);
});

test("an exemption covers functions of files", () => {
  const exemption = { files: /^a\.ts$/, names: /^open$/, reason: "it is the engine's" };
  const at = (path: string, name: string) => isExempt({ path, name, parameters: [], returned: "" }, [exemption]);
  expect([at("a.ts", "open"), at("b.ts", "open"), at("a.ts", "shut")]).toEqual([true, false, false]);
});
