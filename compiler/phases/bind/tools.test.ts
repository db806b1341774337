// Ruling 3 as keys: which keys cover a tool, and which tools a key covers.

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
  listKeys,
} from "./tools.ts";

const TOP = `category vault : destructive  category deep : vault
  interface Board { method post : deep  method wipe : admin }
  service a : Board {}  service b : Board {}  service c : Logs {}`;

test("a tool is covered by its own key first, then by ever wider ones", async () => {
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

test("a key covers a tool if and only if the tool has it, in the order of names", async () => {
  const { tools } = await modelWith(TOP);
  const coverage = createCoverage(tools);
  const keys = new Set(tools.flatMap(listKeys));
  for (const key of keys) {
    const covered = tools.filter((tool) => listKeys(tool).includes(key)).map(({ name }) => name);
    // Asked twice, because answers are kept.
    for (const _ of [1, 2]) expect([key, coverage(key).map(({ name }) => name)]).toEqual([key, covered]);
  }
  expect(coverage(EVERYTHING)).toHaveLength(tools.length);
});

test.each(["tool a.nope", "instance nope", "method Board.nope", "category readOnly in Board", "nope"])(
  "`%s` covers nothing",
  async (key) => {
    expect(createCoverage((await modelWith(TOP)).tools)(key)).toEqual([]);
  },
);

test("only keys of single tools and of services speak of a tool", async () => {
  const { tools } = await modelWith(TOP);
  const spokenOf = (...keys: readonly string[]) => tools.filter(createNamedTest(keys)).map(({ name }) => name);
  expect(spokenOf(formatToolKey("a.post"))).toEqual(["a.post"]);
  expect(spokenOf(formatInstanceKey("b"))).toEqual(["b.post", "b.wipe"]);
  expect(spokenOf(formatToolKey("a.post"), formatInstanceKey("c"))).toEqual(["a.post", "c.follow", "c.tail"]);
  expect(spokenOf(EVERYTHING, formatCategoryKey("deep"), "method Board.post", "interface Board")).toEqual([]);
});

test("methods that nobody has classified are those of the schema without a fact", async () => {
  const { interfaces } = await modelWith("interface Shop {}  interface Board { method post : readOnly }");
  expect(findUnclassified(named(interfaces, "Board"))).toEqual(["wipe"]);
  // One that can be no tool counts as well.
  expect(findUnclassified(named(interfaces, "Shop"))).toEqual(["buy", "open"]);
});

test("only methods of an import that can be tools count as unclassified", async () => {
  const schema = `interface Door { shut @0 () -> (); other @1 () -> (door :Door); }`;
  const top = 'use capnp "door.capnp" as door  service front : door.Door {}';
  const { model } = await boundPage(renderFactsPage({ top }), { "/door.capnp": `${SCHEMA_HEAD} ${schema}` });
  expect(findUnclassified(named(model.interfaces, "door.Door"))).toEqual(["shut"]);
});
