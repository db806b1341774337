import { expect, test } from "vitest";
import type { Condition, Related, Source } from "../wire/generated/policy.ts";
import { findTableFault } from "./coherence.ts";
import { check, row, tables, tool, where } from "./testing/sample.ts";

const tools = ["a.x", "b.x", "c.x", "d.x"].map((name) => tool(name, { strong: name === "b.x" ? ["owner"] : [] }));

/** Returns why tables with one rule that has this condition are refused, without the place of the fault. */
function faultOf(condition: Condition): string | undefined {
  const decisions = [{ clauses: [where([condition], "auto", "consent")], floors: [] }];
  return findTableFault(tables({ tools, decisions, rows: [row("operator", [2, 2, 2, 2])] }));
}

const from = (...sources: readonly Source[]): Condition => ({ ...check("to", "from"), sources });
const person: Source = { which: "person" };
const field = (of: string, name: string, isStrong: boolean, ...related: readonly Related[]): Source => ({
  which: "field",
  field: { tool: of, name, isStrong, related },
});
const related = (text: string, ...sources: readonly Source[]): Related => ({ name: "n", ofCall: false, text, sources });

test.each<[string, Condition, string]>([
  [
    "from with literals",
    { ...from(person), literals: check("a", "in", "x").literals },
    "a condition with from has literals",
  ],
  ["from without sources", from(), "a condition with from has no sources"],
  [
    "another operator with sources",
    { ...check("a", "equal", "x"), sources: [person] },
    "a condition with equal has sources",
  ],
  ["a missing tool before all others", from(field("a", "x", false)), "a source names the tool a, which is not there"],
  [
    "a missing tool between others",
    from(person, field("b.y", "x", false)),
    "a source names the tool b.y, which is not there",
  ],
  [
    "a missing tool after all others",
    from(field("e.x", "x", false)),
    "a source names the tool e.x, which is not there",
  ],
  [
    "a strong field that is weak in its tool",
    from(field("a.x", "owner", true)),
    "the field owner of a.x has another strength than its tool says",
  ],
  [
    "a weak field that is strong in its tool",
    from(field("b.x", "owner", false)),
    "the field owner of b.x has another strength than its tool says",
  ],
  [
    "a related record inside a related record",
    from(field("a.x", "x", false, related("", person, field("c.x", "x", false, related("y"))))),
    "a source of a record asks about another record",
  ],
  [
    "a related record without text or sources",
    from(field("a.x", "x", false, related("y"), related(""))),
    "a record of a source has a text or sources, and not both",
  ],
  [
    "a related record with both text and sources",
    from(field("a.x", "x", false, related("y", person), related("y"))),
    "a record of a source has a text or sources, and not both",
  ],
  [
    "a missing tool in a related record",
    from(field("a.x", "x", false, related("", person, field("c.y", "x", false)))),
    "a source names the tool c.y, which is not there",
  ],
  [
    "the count of each element",
    { ...check("a", "equal", 1), term: "count", each: "every" },
    "count is asked of each element",
  ],
  [
    "the presence of some elements",
    { ...check("a", "equal", true), term: "has", each: "some" },
    "has is asked of each element",
  ],
  ["the links of one value", { ...check("a", "equal", "x"), extract: "urls" }, "urls are asked for one value"],
  [
    "the presence of links",
    { ...check("a", "equal", true), term: "has", extract: "urls" },
    "urls are asked for one value",
  ],
  [
    "presence with absence allowed",
    { ...check("a", "equal", true), term: "has", absentHolds: true },
    "has is asked of more than whether it is there",
  ],
  [
    "presence compared with a text",
    { ...check("a", "equal", "x"), term: "has" },
    "has is compared with something else than a truth value",
  ],
  [
    "a size compared with a text",
    { ...check("a", "equal", "x"), term: "size" },
    "a size is compared with something else than a number",
  ],
  [
    "a count compared with a text",
    { ...check("a", "equal", "x"), term: "count" },
    "a count is compared with something else than a number",
  ],
  [
    "a date compared with a boolean",
    { ...check("a", "equal", true), term: "date" },
    "a date is compared with something else than a number",
  ],
  [
    "a duration compared with a text",
    { ...check("a", "equal", "5 min"), term: "duration" },
    "a duration is compared with something else than a number",
  ],
  ["an origin with a path", { ...check("a", "in", "https://a.b/c"), term: "origin" }, "a literal is no origin"],
  ["a domain with a port", { ...check("a", "equal", "a.b:1"), term: "domain" }, "a literal is no domain"],
  ["a domain that is a number", { ...check("a", "equal", 1), term: "domain" }, "a literal is no domain"],
  ["a size under a folder", { ...check("a", "under", 1), term: "size" }, "a literal is no path"],
  ["an origin under a folder", { ...check("a", "under", "https://a.b"), term: "origin" }, "a literal is no path"],
  ["a number with startsWith", check("a", "startsWith", 1), "startsWith is asked of something else than a text"],
  ["a boolean with endsWith", check("a", "endsWith", true), "endsWith is asked of something else than a text"],
  [
    "a domain with startsWith",
    { ...check("a", "startsWith", "a.b"), term: "domain" },
    "startsWith is asked of something else than a text",
  ],
  [
    "a domain with a pattern",
    { ...check("a", "matches", "a.b"), term: "domain" },
    "matches is asked of something else than a text",
  ],
  ["a pattern that ends in a backslash", check("a", "matches", "a\\"), "a literal is not a pattern"],
  ["an order of booleans", check("a", "greater", true), "an order is asked of something else than a number"],
  ["an invalid second literal", { ...check("a", "in", "a.b", "A.b"), term: "domain" }, "a literal is no domain"],
])("refuses a condition: %s", (_, condition, fault) => {
  expect(faultOf(condition)).toBe(`decision 0: ${fault}`);
});

test.each<[string, Condition]>([
  ["text of a person or of a level", from(person, { which: "atLeast", atLeast: 1 })],
  ["a field of the first tool", from(field("a.x", "owner", false))],
  ["a strong field of a tool between others", from(field("b.x", "owner", true), field("c.x", "owner", false))],
  ["a field of the last tool", from(field("d.x", "x", false))],
  ["a related record by its text", from(field("a.x", "x", false, related("y")))],
  ["a related record by its sources", from(field("a.x", "x", false, related("", person, field("b.x", "owner", true))))],
  ["a count", { ...check("a", "less", 2), term: "count" }],
  ["a count of links", { ...check("a", "less", 2), term: "count", extract: "urls", absentHolds: true }],
  ["each of several links", { ...check("a", "equal", "x"), each: "every", extract: "urls" }],
  ["presence", { ...check("a", "equal", false), term: "has" }],
  ["a date", { ...check("a", "less", 0), term: "date" }],
  ["a duration", { ...check("a", "lessOrEqual", 1), term: "duration" }],
  ["a domain", { ...check("a", "notEqual", "a.b"), term: "domain" }],
  ["a parent domain", { ...check("a", "under", "a.b"), term: "domain" }],
  ["startsWith", check("a", "startsWith", "x")],
  ["endsWith", check("a", "endsWith", "x")],
  ["a pattern", check("a", "matches", "a*#")],
])("accepts a condition: %s", (_, condition) => {
  expect(faultOf(condition)).toBeUndefined();
});
