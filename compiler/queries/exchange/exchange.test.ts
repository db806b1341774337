import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../../../lang/grammar/index.ts";
import { anyPage, LINES } from "../../../lang/testing/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import type { Item } from "../../../lang/tree/index.ts";
import { exportPage, importPage, pageSchema, renderYaml } from "./index.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** All pages of the checkout that people wrote as examples and that have no syntax error. */
const PAGES = (
  await Promise.all(globSync("{examples,lang/spec,stdlib,compiler}/**/*.cap", { cwd: CHECKOUT }).sort().map(read))
)
  .filter(([, { diagnostics }]) => diagnostics.length === 0)
  .map(([path, { tree }]) => [path, tree.items] as const);

async function read(path: string) {
  return [path, await parse(createSourceText(path, readFileSync(`${CHECKOUT}/${path}`, "utf8")))] as const;
}

/** Returns the items without their positions. */
function said(items: readonly Item[]): unknown {
  return JSON.parse(JSON.stringify(items, (key, value) => (key === "span" || key === "damaged" ? undefined : value)));
}

function imported(text: string): readonly Item[] {
  const read = importPage(createSourceText("page.yaml", text));
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics.map(({ message }) => message)));
  return read.items;
}

function faultsOf(text: string): string[] {
  const read = importPage(createSourceText("page.yaml", text));
  return read.ok
    ? []
    : read.diagnostics.map(({ span, message }) => `${span.source.position(span.start).line}: ${message}`);
}

test("the checkout has more than 40 pages to convert, one of which has every kind of declaration", () => {
  expect(PAGES.map(([path]) => path)).toContain("lang/spec/whole-page.cap");
  expect(PAGES.length).toBeGreaterThan(40);
});

test.each(PAGES)("%s keeps its meaning through YAML and through JSON", (_, items) => {
  const value = exportPage({ items });
  expect(said(imported(renderYaml(value)))).toEqual(said(items));
  expect(said(imported(JSON.stringify(value)))).toEqual(said(items));
});

test("a random page keeps its meaning through YAML, and matches the published schema", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyPage(), anyPage(LINES)), async (text) => {
      const { tree, diagnostics } = await parse(createSourceText("any.cap", text));
      expect(diagnostics).toEqual([]);
      const value = exportPage(tree);
      expect(said(imported(renderYaml(value)))).toEqual(said(tree.items));
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
    }),
  );
});

const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(pageSchema);

test.each(PAGES)("the export of %s matches the published schema", (_, items) => {
  validate(JSON.parse(JSON.stringify(exportPage({ items }))));
  expect(validate.errors ?? []).toEqual([]);
});

const SMALL = `form: capc-page-1
items:
  - kind: category
    name: extra
    parent: readOnly
`;

test.each([
  ["an unknown kind", SMALL.replace("category", "categry"), "3: 'categry' means nothing here; did you mean category?"],
  ["an unknown field", SMALL.replace("parent", "parnet"), "5: 'parnet' means nothing here; did you mean parent?"],
  ["a missing field", SMALL.replace("    name: extra\n", ""), "3: name is missing"],
  ["a value of another type", SMALL.replace("extra", "[1]"), "4: expected a name"],
  ["a name that the language does not allow", SMALL.replace("extra", '"a b"'), "4: expected a name"],
  ["another form", SMALL.replace("page-1", "page-2"), "1: 'capc-page-2' means nothing here; did you mean capc-page-1?"],
  ["no items", "form: capc-page-1\nitems: 3\n", "2: expected a list"],
  ["a plain text", "hello", "1: expected an object with form, items"],
])("%s is refused, at the line of the fault", (_, text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test("reports all faults in one run", () => {
  expect(faultsOf(SMALL.replace("extra", "[1]").replace("readOnly", "'read only'"))).toHaveLength(2);
});

test.each([
  ["nothing", "", "expected an object with form, items"],
  ["two documents", `${SMALL}---\n${SMALL}`, "more than one document"],
  ["an alias", SMALL.replace("extra", "&a extra").replace("readOnly", "*a"), "an a"],
  ["an anchor", SMALL.replace("extra", "&a extra"), "an anchor"],
  ["a tag", SMALL.replace("extra", "!!str extra"), "a tag"],
  ["an unknown tag", SMALL.replace("extra", "!x extra"), "tag"],
  ["a repeated key", SMALL.replace("    name", "    name: other\n    name"), "is said twice"],
  ["a key that is not a text", SMALL.replace("name:", "3:"), "a name that is no text"],
  ["endless opening brackets", "[".repeat(500_000), "nested deeper"],
  ["endlessly nested lists", "- ".repeat(300_000), "nested deeper"],
  ["endlessly nested mappings", "? ".repeat(300_000), "nested deeper"],
])("%s is refused", (_, text, reason) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(reason)]);
});

test("any text is read or refused without an exception", async () => {
  const words = fc.constantFrom(
    "form",
    "items",
    "kind",
    "system",
    "name",
    ": ",
    "- ",
    "\n",
    "\n  ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "&a",
    "*a",
    "!!x",
    "|",
    ">",
    "? ",
    "#",
    "<<",
    "__proto__",
    "---",
    "\t",
    "capc-page-1",
  );
  const anyText = fc.oneof(
    fc.array(words).map((parts) => parts.join("")),
    fc.string(),
    fc.json(),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const read = importPage(createSourceText("any.yaml", text));
      expect(read.ok ? read.items : read.diagnostics.length).toBeTruthy();
    }),
    { numRuns: 1000 },
  );
});

/** One mebibyte, which is the maximum size of an import. */
const MEBIBYTE = 1024 * 1024;
const NAMES = Array.from({ length: MEBIBYTE / 12 }, (_, index) => `k${index}: v\n`).join("");

/** Returns a page with two items: the given item and an invalid item. */
function pageOf(item: string): string {
  return `form: capc-page-1\nitems:\n  - { ${item} }\n  - x\n`;
}

test.each([
  ["list items", "- a\n".repeat(MEBIBYTE / 4)],
  ["different names", NAMES],
  ["numbers", `[${"1,".repeat(MEBIBYTE / 2 - 1)}]`],
  [
    "one number",
    pageOf(`kind: backend, name: a, attributes: [{ kind: threads, count: "0.${"0".repeat(MEBIBYTE - 200)}1" }]`),
  ],
  ["wrong items", `form: capc-page-1\nitems:\n${"  - x\n".repeat(MEBIBYTE / 7)}`],
  ["quotes", '"'.repeat(MEBIBYTE)],
  ["documents", "---\n".repeat(MEBIBYTE / 4)],
  ["one long text", `a: ${"b ".repeat(MEBIBYTE / 2 - 4)}`],
  ["a text of many lines", `a:\n${"  b\n".repeat(MEBIBYTE / 4 - 4)}`],
])("a mebibyte of %s is refused within two seconds of CPU", (_, text) => {
  const before = process.cpuUsage();
  expect(faultsOf(text).length).toBeGreaterThan(0);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(2);
});
