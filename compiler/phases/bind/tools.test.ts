// Ruling 3 as keys: which keys cover a tool, and which tools a key covers.

import { expect, test } from "vitest";
import { page } from "../../dev/fixtures/facts.ts";
import { SCHEMA_HEAD } from "../../dev/fixtures/imports.ts";
import { boundPage, modelWith, named } from "./testing/bound.ts";
import { coverageOf, EVERYTHING, keysOf, ofCategory, ofInstance, ofTool, speakingOf, unclassifiedOf } from "./tools.ts";

const TOP = `category vault : destructive  category deep : vault
  interface Board { method post : deep  method wipe : admin }
  service a : Board {}  service b : Board {}  service c : Logs {}`;

test("a tool is covered by its own key first, then by ever wider ones", async () => {
  const { tools } = await modelWith(TOP);
  expect(keysOf(named(tools, "b.post"))).toEqual([
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
  const coverage = coverageOf(tools);
  const keys = new Set(tools.flatMap(keysOf));
  for (const key of keys) {
    const covered = tools.filter((tool) => keysOf(tool).includes(key)).map(({ name }) => name);
    // Asked twice, because answers are kept.
    for (const _ of [1, 2]) expect([key, coverage(key).map(({ name }) => name)]).toEqual([key, covered]);
  }
  expect(coverage(EVERYTHING)).toHaveLength(tools.length);
});

test.each(["tool a.nope", "instance nope", "method Board.nope", "category readOnly in Board", "nope"])(
  "`%s` covers nothing",
  async (key) => {
    expect(coverageOf((await modelWith(TOP)).tools)(key)).toEqual([]);
  },
);

test("only keys of single tools and of services speak of a tool", async () => {
  const { tools } = await modelWith(TOP);
  const spokenOf = (...keys: readonly string[]) => tools.filter(speakingOf(keys)).map(({ name }) => name);
  expect(spokenOf(ofTool("a.post"))).toEqual(["a.post"]);
  expect(spokenOf(ofInstance("b"))).toEqual(["b.post", "b.wipe"]);
  expect(spokenOf(ofTool("a.post"), ofInstance("c"))).toEqual(["a.post", "c.follow", "c.tail"]);
  expect(spokenOf(EVERYTHING, ofCategory("deep"), "method Board.post", "interface Board")).toEqual([]);
});

test("methods that nobody has classified are those of the schema without a fact", async () => {
  const { interfaces } = await modelWith("interface Shop {}  interface Board { method post : readOnly }");
  expect(unclassifiedOf(named(interfaces, "Board"))).toEqual(["wipe"]);
  // One that can be no tool counts as well.
  expect(unclassifiedOf(named(interfaces, "Shop"))).toEqual(["buy", "open"]);
});

test("of an import only methods that can be tools count as unclassified", async () => {
  const schema = `interface Door { shut @0 () -> (); other @1 () -> (door :Door); }`;
  const top = 'use capnp "door.capnp" as door  service front : door.Door {}';
  const { model } = await boundPage(page({ top }), { "/door.capnp": `${SCHEMA_HEAD} ${schema}` });
  expect(unclassifiedOf(named(model.interfaces, "door.Door"))).toEqual(["shut"]);
});
