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

/** Every page of the checkout that somebody wrote to be read, and that has no syntax error. */
const PAGES = (
  await Promise.all(globSync("{examples,lang/spec,stdlib,compiler}/**/*.cap", { cwd: CHECKOUT }).sort().map(read))
)
  .filter(([, { diagnostics }]) => diagnostics.length === 0)
  .map(([path, { tree }]) => [path, tree.items] as const);

async function read(path: string) {
  return [path, await parse(createSourceText(path, readFileSync(`${CHECKOUT}/${path}`, "utf8")))] as const;
}

/** Returns the items without their places. */
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

test("there are pages to exchange, with every kind of declaration among them", () => {
  expect(PAGES.map(([path]) => path)).toContain("lang/spec/whole-page.cap");
  expect(PAGES.length).toBeGreaterThan(40);
});

test.each(PAGES)("%s says the same after it was YAML, and after it was JSON", (_, items) => {
  const value = exportPage({ items });
  expect(said(imported(renderYaml(value)))).toEqual(said(items));
  expect(said(imported(JSON.stringify(value)))).toEqual(said(items));
});

test("any page says the same afterwards", async () => {
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

test.each(PAGES)("%s keeps the published schema", (_, items) => {
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
  [
    "a kind that there is not",
    SMALL.replace("category", "categry"),
    "3: 'categry' means nothing here; did you mean category?",
  ],
  [
    "a field that there is not",
    SMALL.replace("parent", "parnet"),
    "5: 'parnet' means nothing here; did you mean parent?",
  ],
  ["a field that is missing", SMALL.replace("    name: extra\n", ""), "3: name is missing"],
  ["a value of another type", SMALL.replace("extra", "[1]"), "4: expected a name"],
  ["a name that the language has not", SMALL.replace("extra", '"a b"'), "4: expected a name"],
  ["another form", SMALL.replace("page-1", "page-2"), "1: 'capc-page-2' means nothing here; did you mean capc-page-1?"],
  ["no items", "form: capc-page-1\nitems: 3\n", "2: expected a list"],
  ["a text alone", "hello", "1: expected an object with form, items"],
])("%s is refused where it stands, and so is it by the schema", (_, text, fault) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test("all faults are reported at once", () => {
  expect(faultsOf(SMALL.replace("extra", "[1]").replace("readOnly", "'read only'"))).toHaveLength(2);
});

test.each([
  ["nothing", "", "expected an object with form, items"],
  ["two documents", `${SMALL}---\n${SMALL}`, "more than one document"],
  ["an alias", SMALL.replace("extra", "&a extra").replace("readOnly", "*a"), "an a"],
  ["an anchor", SMALL.replace("extra", "&a extra"), "an anchor"],
  ["a tag", SMALL.replace("extra", "!!str extra"), "a tag"],
  ["an unknown tag", SMALL.replace("extra", "!x extra"), "tag"],
  ["a name said twice", SMALL.replace("    name", "    name: other\n    name"), "is said twice"],
  ["names that are no texts", SMALL.replace("name:", "3:"), "a name that is no text"],
  ["brackets without end", "[".repeat(500_000), "nested deeper"],
  ["lists in lists without end", "- ".repeat(300_000), "nested deeper"],
  ["a mapping in itself", "? ".repeat(300_000), "nested deeper"],
])("%s is not read", (_, text, reason) => {
  expect(faultsOf(text)).toEqual([expect.stringContaining(reason)]);
});

test("whatever stands in the text, it is read or refused, and nothing is thrown", async () => {
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

/** One mebibyte, the most that is read. */
const MEBIBYTE = 1024 * 1024;
const NAMES = Array.from({ length: MEBIBYTE / 12 }, (_, index) => `k${index}: v\n`).join("");

/** Returns a page with one item that is read, and one that is not. */
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
