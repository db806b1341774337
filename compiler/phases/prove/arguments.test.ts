import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalizeArguments,
  checkRecord,
  computeMode,
  isStricter,
  type Json,
} from "../../../engine/lib/policy/index.ts";
import { always, check, PUBLIC, where } from "../../../engine/lib/policy/testing/sample.ts";
import type { Clause, Condition, Param, Type } from "../../../engine/lib/wire/generated/policy.ts";
import { type Asked, anyAsked, VOCABULARY } from "../conditions/testing/any-conditions.ts";
import type { DescribedParam, DescribedType } from "../reflect/described.ts";
import { renderSchema } from "../reflect/json-schema.ts";
import { type ArgumentsByMode, findArguments } from "./arguments.ts";

const MODES = ["auto", "consent", "stepUp", "forbidden"] as const;

const text: Type = { which: "text", text: { maxBytes: 40 } };
const param = (name: string, type: Type, required = true): Param => ({ name, type, required });
const integer = (low: bigint, high: bigint): Type => ({ which: "integer", integer: { low, high } });

function found(params: readonly Param[], ...clauses: readonly Clause[]): ArgumentsByMode {
  return findArguments({ params }, { clauses, floors: [] });
}

/** Returns the found arguments for each mode: `none` if there certainly are none, and `?` if this is undecided. */
function said(modes: ArgumentsByMode): Record<string, string> {
  return Object.fromEntries(
    MODES.map((mode) => {
      const one = modes[mode];
      return [mode, one.kind === "some" ? one.arguments : one.kind === "none" ? "none" : `? ${one.why}`];
    }),
  );
}

function size(operator: Condition["operator"], bytes: number): Condition {
  return { ...check("content", operator, bytes), term: "size" };
}

function origins(...literals: readonly string[]): Condition {
  return { ...check("url", "in", ...literals), term: "origin" };
}

test("a rule without conditions gives its mode for the smallest valid arguments", () => {
  const params = [param("path", text), param("count", integer(3n, 9n)), param("deep", { which: "boolean" }, false)];
  expect(said(found(params, always("consent"), always("auto")))).toEqual({
    auto: "none",
    consent: '{"count":3,"path":""}',
    stepUp: "none",
    forbidden: "none",
  });
});

test("for a condition on a folder, the search finds paths inside it, paths outside it, and texts that are not paths", () => {
  const params = [param("path", text)];
  expect(said(found(params, where([check("path", "under", "/reports/new")], "auto", "consent")))).toEqual({
    auto: '{"path":"reports/new"}',
    consent: '{"path":""}',
    stepUp: "none",
    forbidden: "none",
  });
  const worst = found(params, where([check("path", "under", "/")], "auto", "forbidden"), always("consent"));
  expect(said(worst)).toMatchObject({ consent: '{"path":""}', forbidden: '{"path":"\\u0000"}', auto: "none" });
});

test("for a bound on size, sizes next to the bound are tried, but no size beyond the bound of the type", () => {
  const small = where([size("lessOrEqual", 8)], "auto", "consent");
  expect(said(found([param("content", { which: "text", text: { maxBytes: 9 } })], small))).toMatchObject({
    auto: '{"content":""}',
    consent: '{"content":"aaaaaaaaa"}',
  });
  expect(said(found([param("content", { which: "text", text: { maxBytes: 8 } })], small))).toMatchObject({
    consent: "none",
  });
});

test("for a condition on an origin, the search finds addresses with this origin and with another origin, and an unreadable address gets the strictest mode", () => {
  const line = where([origins("https://status.example.net")], "auto", "consent");
  expect(said(found([param("url", text)], line, where([origins("https://b.example")], "stepUp", "auto")))).toEqual({
    auto: '{"url":"https://status.example.net"}',
    consent: '{"url":"https://a.example"}',
    stepUp: '{"url":"https://b.example"}',
    forbidden: "none",
  });
  expect(said(found([param("url", text)], where([origins("https://a.example/x")], "auto", "consent")))).toMatchObject({
    auto: "none",
  });
});

test("an address in a domain may have another origin than the one in the rule", () => {
  const domain: Condition = { ...check("url", "notEqual", "a.example"), term: "domain" };
  const group = (clause: Clause): Clause => ({ ...clause, group: 1 });
  const clauses = [
    group(where([origins("https://a.example")], "auto", "auto")),
    group(where([domain], "forbidden", "auto")),
    group(always("stepUp")),
  ];
  expect(said(found([param("url", text)], ...clauses))).toMatchObject({ stepUp: '{"url":"http://a.example"}' });
  const both = [group(where([origins("https://a.example", "http://a.example")], "auto", "auto")), ...clauses.slice(1)];
  expect(said(found([param("url", text)], ...both))).toMatchObject({ stepUp: '{"url":"http://a.example:1"}' });
});

test("money is compared exactly, and integers are tested at their bounds", () => {
  const cents: Condition = { ...check("amount", "greater"), literals: [{ which: "decimal", decimal: "99.99" }] };
  expect(said(found([param("amount", text)], where([cents], "stepUp", "auto")))).toMatchObject({
    auto: '{"amount":"0"}',
    stepUp: '{"amount":"100.99"}',
  });
  const between = where([check("count", "greater", 65_534), check("count", "notEqual", 65_535)], "auto", "consent");
  expect(said(found([param("count", integer(0n, 65_535n))], between))).toMatchObject({
    auto: "none",
    consent: '{"count":0}',
  });
});

test("a condition can be unknown because its argument is absent, but only if the argument is optional", () => {
  const line = where([check("force", "equal", true)], "auto", "consent");
  const strict = where([check("mode", "equal", "x")], "forbidden", "forbidden");
  const optional = [param("force", { which: "boolean" }, false)];
  expect(said(found(optional, line))).toMatchObject({ auto: '{"force":true}', consent: '{"force":false}' });
  const required = [param("force", { which: "boolean" })];
  expect(said(found(required, line, always("auto")))).toMatchObject({ forbidden: "none" });
  expect(said(found(required, where([check("force", "equal", true)], "auto", "auto"), strict))).toMatchObject({
    auto: "none",
    forbidden: '{"force":false}',
  });
});

test("fields inside records are set together with the required fields around them", () => {
  const options = param(
    "options",
    { which: "record", record: [param("depth", integer(1n, 9n)), param("name", text)] },
    false,
  );
  const depth: Condition = { ...check("options", "greaterOrEqual", 5), path: ["options", "depth"] };
  expect(said(found([options, param("path", text)], where([depth], "auto", "consent")))).toMatchObject({
    auto: '{"options":{"depth":5,"name":""},"path":""}',
    consent: '{"options":{"depth":1,"name":""},"path":""}',
  });
  expect(said(found([options], where([check("options", "equal", "a")], "auto", "stepUp")))).toMatchObject({
    auto: "none",
    stepUp: "{}",
  });
});

test("a tool for which no arguments are valid cannot be called in any mode", () => {
  const never = found([param("colour", { which: "choice", choice: [] })], always("auto"));
  expect(new Set(Object.values(said(never)))).toEqual(new Set(["none"]));
});

test("with more than twelve conditions, the prover finds arguments for a mode, or reports the mode as undecided", () => {
  const many = Array.from({ length: 13 }, (_, index) =>
    where([check("path", "equal", `word ${index}`)], "consent", "auto"),
  );
  const modes = said(found([param("path", text)], ...many, where([check("path", "equal", "")], "forbidden", "auto")));
  expect(modes).toMatchObject({
    auto: '{"path":"a"}',
    consent: '{"path":"word 0"}',
    stepUp: "none",
    forbidden: '{"path":""}',
  });
  const beyond = many.map((clause, index) => ({
    ...clause,
    conditions: [...clause.conditions, check("path", "notEqual", `word ${index}`)],
  }));
  expect(said(found([param("path", text)], ...beyond))).toMatchObject({
    consent: "? more than 12 conditions decide about it",
    forbidden: "none",
  });
});

test("arguments that are neither found nor ruled out are reported as unknown", () => {
  const tight = [check("share", "greater"), check("share", "less")].map((condition, index) => ({
    ...condition,
    literals: [{ which: "decimal" as const, decimal: index === 0 ? "0.1" : "0.10000000000000000001" }],
  }));
  expect(said(found([param("share", { which: "number" })], where(tight, "auto", "consent")))).toMatchObject({
    auto: "? no arguments were found, and none can be ruled out",
    consent: '{"share":0}',
  });
});

/**
 * Returns every combination of sample values for the arguments, including combinations in which some arguments are
 * absent.
 */
function vocabulary(params: readonly Param[]): readonly Record<string, Json>[] {
  return params.reduce<readonly Record<string, Json>[]>(
    (sofar, { name }) =>
      sofar.flatMap((record) => [record, ...(VOCABULARY[name] ?? []).map((value) => ({ ...record, [name]: value }))]),
    [{}],
  );
}

function modeFor({ params, list }: Asked, json: string): string | undefined {
  const args = canonicalizeArguments(json);
  if (!args.ok || checkRecord(params, args.value.value) !== undefined) return undefined;
  return computeMode({ ...list, floors: [] }, args.value.value, { label: PUBLIC, unattended: false }).mode;
}

test("property: a mode that brute force finds is never called impossible", () => {
  fc.assert(
    fc.property(anyAsked, (asked) => {
      const modes = findArguments(asked, asked.list);
      const given = new Set(vocabulary(asked.params).map((record) => modeFor(asked, JSON.stringify(record))));
      for (const mode of MODES) if (given.has(mode)) expect(modes[mode].kind, mode).not.toBe("none");
    }),
    { numRuns: 200 },
  );
});

function described(one: Param): DescribedParam {
  return { ...one, type: describedType(one.type), doc: "" };
}

function describedType(type: Type): DescribedType {
  if (type.which === "list") return { which: "list", list: describedType(type.list) };
  if (type.which === "either") return { which: "either", either: type.either.map(describedType) };
  return type.which === "record" ? { which: "record", record: type.record.map(described) } : type;
}

const ajv = new Ajv({ strict: true });

test("property: found arguments give their mode, are in canonical form, and fit the schema that models read", () => {
  fc.assert(
    fc.property(anyAsked, (asked) => {
      const validate = ajv.compile(JSON.parse(renderSchema(asked.params.map(described))));
      const modes = findArguments(asked, asked.list);
      for (const mode of MODES) {
        const one = modes[mode];
        if (one.kind !== "some") continue;
        expect(modeFor(asked, one.arguments)).toBe(mode);
        expect(canonicalizeArguments(one.arguments)).toMatchObject({ value: { text: one.arguments } });
        expect(validate(JSON.parse(one.arguments)), one.arguments).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test("property: if laws permit all conditions, and all conditions test whole values, the search is always decided", () => {
  fc.assert(
    fc.property(anyAsked, (asked) => {
      const conditions = asked.list.clauses.flatMap((clause) => clause.conditions);
      // If a condition tests the elements of a list, or parts of a text such as its links, the search may be undecided:
      // it finds no arguments for a mode, and cannot prove that there are none.
      const isOfElements = conditions.some(({ each, extract }) => each !== "single" || extract !== "none");
      if (!asked.lawful || isOfElements) return;
      expect(Object.values(said(findArguments(asked, asked.list))).filter((words) => words.startsWith("?"))).toEqual(
        [],
      );
    }),
    { numRuns: 1000 },
  );
});

test("property: after a rule without conditions is added, no mode that is looser than this rule is possible", () => {
  fc.assert(
    fc.property(anyAsked, ({ params, list }) => {
      const before = findArguments({ params }, list);
      const after = findArguments({ params }, { ...list, clauses: [...list.clauses, always("stepUp")] });
      for (const mode of MODES) {
        if (isStricter("stepUp", mode)) expect(after[mode].kind).toBe("none");
      }
      expect(after.forbidden.kind === "none").toBe(before.forbidden.kind === "none");
    }),
    { numRuns: 200 },
  );
});
