import { expect, test } from "vitest";
import type { Condition, Related, Source } from "../wire/generated/policy.ts";
import { evaluateConditions, type Truth } from "./condition.ts";
import { serializeCondition, serializeSource } from "./condition-key.ts";
import { renderCondition, renderSource } from "./condition-text.ts";
import type { Sources, Standing } from "./sources.ts";
import { check } from "./testing/sample.ts";

const person: Source = { which: "person" };
const field = (tool: string, name: string, isStrong: boolean, ...related: readonly Related[]): Source => ({
  which: "field",
  field: { tool, name, isStrong, related },
});
const owner: Related = { name: "owner", ofCall: false, text: "ada", sources: [] };

/** Standing that the sources of these tests give to a value, by the first letter of the value. */
const WORDS: Readonly<Record<string, Standing>> = { s: "strong", w: "weak", n: "none", u: "unknown", 7: "weak" };
const sources: Sources = { judge: (value) => WORDS[String(value).charAt(0)] ?? "none", trace: () => undefined };
const ARGS = { to: "s1", weak: "w1", none: "n1", lost: "u1", number: 7, flag: true, nothing: null, list: ["s", "w"] };
const from = (name: string, changes: Partial<Condition> = {}): Condition => ({
  ...check(name, "from"),
  sources: [person],
  ...changes,
});
const each = (name: string, quantifier: "every" | "some") => from(name, { each: quantifier });

test.each<[string, readonly Condition[], Truth]>([
  ["text of a strong source", [from("to")], "holds"],
  ["text of a weak source", [from("weak")], "holdsWeakly"],
  ["text without a source", [from("none")], "fails"],
  ["text whose source is lost", [from("lost")], "unknown"],
  ["a number", [from("number")], "holdsWeakly"],
  ["a boolean", [from("flag")], "unknown"],
  ["an absent value", [from("nothing")], "unknown"],
  ["an absent value that is allowed", [from("nothing", { absentHolds: true })], "holds"],
  ["a strong and a weak source", [from("to"), from("weak")], "holdsWeakly"],
  ["a weak and a strong source", [from("weak"), from("to")], "holdsWeakly"],
  ["a weak source and a failed one", [from("weak"), from("none")], "fails"],
  ["a failed source and a weak one", [from("none"), from("weak")], "fails"],
  ["a failed source and a strong one", [from("none"), from("to")], "fails"],
  ["every element of a list", [each("list", "every")], "holdsWeakly"],
  ["some element of a list", [each("list", "some")], "holds"],
])("evaluates a condition on the source of an argument: %s", (_, conditions, truth) => {
  expect(evaluateConditions(conditions, ARGS, { sources })).toBe(truth);
});

test.each<[readonly string[], "every" | "some", Truth]>([
  [["w", "s"], "every", "holdsWeakly"],
  [["w", "s"], "some", "holds"],
  [["n", "w"], "some", "holdsWeakly"],
  [["w", "n"], "some", "holdsWeakly"],
  [["w", "n"], "every", "fails"],
  [["n", "s"], "every", "fails"],
  [["s", "u"], "some", "unknown"],
  [[], "every", "holds"],
  [[], "some", "fails"],
])("a condition on the sources %j, with %s, evaluates to %s", (list, quantifier, truth) => {
  expect(evaluateConditions([each("list", quantifier)], { list }, { sources })).toBe(truth);
});

test("a condition on a source is unknown if the conversation's sources are unknown", () => {
  expect(evaluateConditions([from("to")], ARGS)).toBe("unknown");
  expect(evaluateConditions([from("nothing", { absentHolds: true })], ARGS)).toBe("holds");
});

test.each<[string, Condition, Truth]>([
  ["a text that matches", check("text", "matches", "a*#"), "holds"],
  ["a text that does not match", check("text", "matches", "b*"), "fails"],
  ["a number", check("number", "matches", "*"), "unknown"],
  ["a malformed pattern", check("text", "matches", "a\\"), "unknown"],
  ["a pattern that is a number", check("text", "matches", 1), "unknown"],
])("a condition with `matches` gives the expected result the first and the second time: %s", (_, condition, truth) => {
  const args = { text: "ab1", number: 7 };
  expect(evaluateConditions([condition], args)).toBe(truth);
  expect(evaluateConditions([condition], args)).toBe(truth);
});

test.each<[Source, string]>([
  [person, "person"],
  [{ which: "pasted" }, "pasted"],
  [{ which: "page" }, "page"],
  [{ which: "untrusted" }, "untrusted"],
  [{ which: "atLeast", atLeast: 1 }, "integrity level 1"],
  [field("a.x", "", false), "a.x"],
  [field("a.x", "b", true), "a.x.b"],
  [field("a.x", "b", false, owner), 'a.x.b[owner == "ada"]'],
  [field("a.x", "", false, { ...owner, ofCall: true }), 'a.x(owner == "ada")'],
  [
    field("a.x", "b", false, owner, { name: "to", ofCall: false, text: "", sources: [person, { which: "page" }] }),
    'a.x.b[owner == "ada" and to from person, page]',
  ],
])("renders a source as the page writes it: %#", (source, words) => {
  expect(renderSource(source)).toBe(words);
});

test("renders conditions with from, has and large numbers", () => {
  const condition = from("to", { sources: [person, { which: "page" }], absentHolds: true });
  expect(renderCondition(condition)).toBe("to from person, page or absent");
  expect(renderCondition({ ...check("cc", "notEqual", true), term: "has" })).toBe("not has(cc)");
  expect(renderCondition({ ...check("cc", "notEqual", false), term: "has" })).toBe("has(cc)");
  expect(renderCondition(check("lines", "less", 300000))).toBe("lines < 300000");
});

test("different sources and conditions serialize differently", () => {
  const all: readonly Source[] = [
    ...(["person", "pasted", "page", "untrusted"] as const).map((which): Source => ({ which })),
    ...[1, 2].map((atLeast): Source => ({ which: "atLeast", atLeast })),
    ...[field("a.x", "b", false), field("a.y", "b", false), field("a.x", "c", false), field("a.x", "b", true)],
    ...[owner, { ...owner, ofCall: true }, { ...owner, name: "n" }, { ...owner, text: "bob" }].map((one) =>
      field("a.x", "b", false, one),
    ),
    field("a.x", "b", false, { ...owner, text: "", sources: [person] }),
  ];
  const texts = all.map(serializeSource);
  expect(new Set(texts).size).toBe(all.length);
  expect(all.map((source) => serializeSource({ ...source }))).toEqual(texts);
  const conditions = [
    ...all.map((source) => from("to", { sources: [source] })),
    ...[check("a", "equal", "1"), check("a", "equal", 1), check("a", "equal", true), check("a", "equal", false)],
    ...[check("b", "equal", 1), check("a", "less", 1), from("to", { sources: [person], absentHolds: true })],
    ...[from("to", { each: "every" }), from("to", { each: "every", extract: "urls" }), from("to", { term: "domain" })],
  ];
  expect(new Set(conditions.map(serializeCondition)).size).toBe(conditions.length);
  const same = (...values: readonly string[]) => serializeCondition(check("a", "in", ...values));
  expect(same("x", "y", "z")).toBe(same("z", "x", "y"));
  expect(same("x")).not.toBe(same("x", "y"));
});
