import { expect, test } from "vitest";
import type { Condition, Related, Source } from "../wire/generated/policy.ts";
import { findTableFault } from "./coherence.ts";
import { check, row, tables, tool, where } from "./testing/sample.ts";

const tools = ["a.x", "b.x", "c.x", "d.x"].map((name) => tool(name, { strong: name === "b.x" ? ["owner"] : [] }));

/** Why tables with one line of this condition are refused, without the place. */
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
    "literals of from",
    { ...from(person), literals: check("a", "in", "x").literals },
    "a condition with from has literals",
  ],
  ["from nowhere", from(), "a condition with from has no sources"],
  [
    "sources of another operator",
    { ...check("a", "equal", "x"), sources: [person] },
    "a condition with equal has sources",
  ],
  ["a tool before all", from(field("a", "x", false)), "a source names the tool a, which is not there"],
  ["a tool between", from(person, field("b.y", "x", false)), "a source names the tool b.y, which is not there"],
  ["a tool behind all", from(field("e.x", "x", false)), "a source names the tool e.x, which is not there"],
  [
    "a strength that its tool does not say",
    from(field("a.x", "owner", true)),
    "the field owner of a.x has another strength than its tool says",
  ],
  [
    "no strength where its tool says one",
    from(field("b.x", "owner", false)),
    "the field owner of b.x has another strength than its tool says",
  ],
  [
    "a record that asks about a record",
    from(field("a.x", "x", false, related("", person, field("c.x", "x", false, related("y"))))),
    "a source of a record asks about another record",
  ],
  [
    "a record of which nothing is asked",
    from(field("a.x", "x", false, related("y"), related(""))),
    "a record of a source has a text or sources, and not both",
  ],
  [
    "a record with a text and sources",
    from(field("a.x", "x", false, related("y", person), related("y"))),
    "a record of a source has a text or sources, and not both",
  ],
  [
    "a tool of a record",
    from(field("a.x", "x", false, related("", person, field("c.y", "x", false)))),
    "a source names the tool c.y, which is not there",
  ],
  ["a number of each", { ...check("a", "equal", 1), term: "count", each: "every" }, "count is asked of each element"],
  ["presence of some", { ...check("a", "equal", true), term: "has", each: "some" }, "has is asked of each element"],
  ["links of one value", { ...check("a", "equal", "x"), extract: "urls" }, "urls are asked for one value"],
  ["presence of links", { ...check("a", "equal", true), term: "has", extract: "urls" }, "urls are asked for one value"],
  [
    "presence or absence",
    { ...check("a", "equal", true), term: "has", absentHolds: true },
    "has is asked of more than whether it is there",
  ],
  [
    "presence in words",
    { ...check("a", "equal", "x"), term: "has" },
    "has is compared with something else than a truth value",
  ],
  [
    "a size in words",
    { ...check("a", "equal", "x"), term: "size" },
    "a size is compared with something else than a number",
  ],
  [
    "a count in words",
    { ...check("a", "equal", "x"), term: "count" },
    "a count is compared with something else than a number",
  ],
  [
    "a date in words",
    { ...check("a", "equal", true), term: "date" },
    "a date is compared with something else than a number",
  ],
  [
    "a duration in words",
    { ...check("a", "equal", "5 min"), term: "duration" },
    "a duration is compared with something else than a number",
  ],
  ["an origin with a path", { ...check("a", "in", "https://a.b/c"), term: "origin" }, "a literal is no origin"],
  ["a domain with a port", { ...check("a", "equal", "a.b:1"), term: "domain" }, "a literal is no domain"],
  ["a domain that is a number", { ...check("a", "equal", 1), term: "domain" }, "a literal is no domain"],
  ["a folder of a size", { ...check("a", "under", 1), term: "size" }, "a literal is no path"],
  ["a folder of an origin", { ...check("a", "under", "https://a.b"), term: "origin" }, "a literal is no path"],
  ["a beginning of a number", check("a", "startsWith", 1), "startsWith is asked of something else than a text"],
  ["an end of a truth value", check("a", "endsWith", true), "endsWith is asked of something else than a text"],
  [
    "a beginning of a domain",
    { ...check("a", "startsWith", "a.b"), term: "domain" },
    "startsWith is asked of something else than a text",
  ],
  [
    "a pattern of a domain",
    { ...check("a", "matches", "a.b"), term: "domain" },
    "matches is asked of something else than a text",
  ],
  ["a pattern that ends in a backslash", check("a", "matches", "a\\"), "a literal is not a pattern"],
  ["an order of truth values", check("a", "greater", true), "an order is asked of something else than a number"],
  ["the second of two literals", { ...check("a", "in", "a.b", "A.b"), term: "domain" }, "a literal is no domain"],
])("refuses a condition: %s", (_, condition, fault) => {
  expect(faultOf(condition)).toBe(`decision 0: ${fault}`);
});

test.each<[string, Condition]>([
  ["words of a person and of any trust", from(person, { which: "atLeast", atLeast: 1 })],
  ["a field of the first tool", from(field("a.x", "owner", false))],
  ["a strong field of a tool between", from(field("b.x", "owner", true), field("c.x", "owner", false))],
  ["a field of the last tool", from(field("d.x", "x", false))],
  ["a record by its text", from(field("a.x", "x", false, related("y")))],
  ["a record by its sources", from(field("a.x", "x", false, related("", person, field("b.x", "owner", true))))],
  ["a count", { ...check("a", "less", 2), term: "count" }],
  ["a count of links", { ...check("a", "less", 2), term: "count", extract: "urls", absentHolds: true }],
  ["links of each", { ...check("a", "equal", "x"), each: "every", extract: "urls" }],
  ["presence", { ...check("a", "equal", false), term: "has" }],
  ["a date", { ...check("a", "less", 0), term: "date" }],
  ["a duration", { ...check("a", "lessOrEqual", 1), term: "duration" }],
  ["a domain", { ...check("a", "notEqual", "a.b"), term: "domain" }],
  ["what is within a domain", { ...check("a", "under", "a.b"), term: "domain" }],
  ["a beginning", check("a", "startsWith", "x")],
  ["an end", check("a", "endsWith", "x")],
  ["a pattern", check("a", "matches", "a*#")],
])("accepts a condition: %s", (_, condition) => {
  expect(faultOf(condition)).toBeUndefined();
});
