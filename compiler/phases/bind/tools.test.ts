// Tests the keys of patterns, by which the most specific lines decide about a tool (ruling 3): which keys cover a tool,
// and which tools a key covers.

import { expect, test } from "vitest";
import { renderFactsPage } from "../../dev/fixtures/facts.ts";
import { SCHEMA_HEAD } from "../../dev/fixtures/imports.ts";
import { boundPage, modelWith, named } from "./testing/bound.ts";
import {
  createCoverage,
  createNamedTest,
  EVERYTHING,
  findUnclassified,
  formatCategoryKey,
  formatInstanceKey,
  formatToolKey,
  indexTools,
  listKeys,
} from "./tools.ts";

const TOP = `category vault : destructive  category deep : vault
  interface Board { method post : deep  method wipe : admin }
  service a : Board {}  service b : Board {}  service c : Logs {}`;

test("the keys of all patterns that cover a tool go from the tool's own name to `*`", async () => {
  const { tools } = await modelWith(TOP);
  expect(listKeys(named(tools, "b.post"))).toEqual([
    "tool b.post",
    "instance b",
    "method Board.post",
    "interface Board",
    "category deep in Board",
    "category vault in Board",
    "category destructive in Board",
    "category deep",
    "category vault",
    "category destructive",
    "*",
  ]);
});

test("the key of a pattern covers exactly the tools that list this key, ordered by name", async () => {
  const { tools } = await modelWith(TOP);
  const coverage = createCoverage(tools, indexTools(tools));
  const keys = new Set(tools.flatMap(listKeys));
  for (const key of keys) {
    const covered = tools.filter((tool) => listKeys(tool).includes(key)).map(({ name }) => name);
    // Call it twice, to test the cached result too.
    for (const _ of [1, 2]) expect([key, coverage(key).map(({ name }) => name)]).toEqual([key, covered]);
  }
  expect(coverage(EVERYTHING)).toHaveLength(tools.length);
});

test.each(["tool a.nope", "instance nope", "method Board.nope", "category readOnly in Board", "nope"])(
  "`%s` covers no tools",
  async (key) => {
    const { tools } = await modelWith(TOP);
    expect(createCoverage(tools, indexTools(tools))(key)).toEqual([]);
  },
);

test("only the key of the tool and the key of its service name a tool, and wider keys do not", async () => {
  const { tools } = await modelWith(TOP);
  const spokenOf = (...keys: readonly string[]) => tools.filter(createNamedTest(keys)).map(({ name }) => name);
  expect(spokenOf(formatToolKey("a.post"))).toEqual(["a.post"]);
  expect(spokenOf(formatInstanceKey("b"))).toEqual(["b.post", "b.wipe"]);
  expect(spokenOf(formatToolKey("a.post"), formatInstanceKey("c"))).toEqual(["a.post", "c.follow", "c.tail"]);
  expect(spokenOf(EVERYTHING, formatCategoryKey("deep"), "method Board.post", "interface Board")).toEqual([]);
});

test("unclassified methods are those methods of the schema that have no category", async () => {
  const { interfaces } = await modelWith("interface Shop {}  interface Board { method post : readOnly }");
  expect(findUnclassified(named(interfaces, "Board"))).toEqual(["wipe"]);
  // For an interface that is not imported, the result also contains methods that cannot be tools.
  expect(findUnclassified(named(interfaces, "Shop"))).toEqual(["buy", "open"]);
});

test("a method of an import counts as unclassified only if it can be a tool", async () => {
  const schema = `interface Door { shut @0 () -> (); other @1 () -> (door :Door); }`;
  const top = 'use capnp "door.capnp" as door  service front : door.Door {}';
  const { model } = await boundPage(renderFactsPage({ top }), { "/door.capnp": `${SCHEMA_HEAD} ${schema}` });
  expect(findUnclassified(named(model.interfaces, "door.Door"))).toEqual(["shut"]);
});
