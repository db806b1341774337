import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalizeArguments, checkRecord, computeMode } from "../../../../engine/lib/policy/index.ts";
import { check, where } from "../../../../engine/lib/policy/testing/sample.ts";
import type { Clause, Condition, Decision, Param } from "../../../../engine/lib/wire/generated/policy.ts";
import { anyAsked, VOCABULARY } from "../../conditions/testing/any-conditions.ts";
import { listConceivablePairs } from "./conceivable.ts";

const SEEN = { label: { confidentiality: 0, integrity: 0, compartments: 0n }, unattended: false, sources: undefined };
const list = (...clauses: readonly Clause[]): Decision => ({ clauses: [...clauses], floors: [] });

const TEXT: Param = { name: "content", required: true, type: { which: "text", text: { maxBytes: 0 } } };

test("a rule with a raised upper bound gives no stricter mode than before", () => {
  const bound = (most: number) => list(where([check("n", "lessOrEqual", most)], "consent", "forbidden"));
  const found = listConceivablePairs([], bound(2), bound(5))?.map(({ before, after }) => `${before} ${after}`);
  expect(found?.sort()).toEqual(["consent consent", "forbidden consent", "forbidden forbidden"]);
});

test("a condition on the sources of every element holds for an empty list", () => {
  const pasted: Condition = { ...check("to", "from"), literals: [], sources: [{ which: "pasted" }], each: "every" };
  const asked = list(where([pasted], "auto", "consent"));
  expect(listConceivablePairs([], asked, asked)).toContainEqual({ before: "auto", after: "auto" });
});

test("no call becomes stricter if a rule that forbids gets one more condition that is never unknown", () => {
  const links: Condition = {
    ...check("content", "from"),
    literals: [],
    sources: [{ which: "untrusted" }],
    each: "some",
    extract: "urls",
  };
  const size: Condition = { ...check("content", "greater", 100), term: "size" };
  const found = listConceivablePairs(
    [TEXT],
    list(where([links], "forbidden", "auto")),
    list(where([links, size], "forbidden", "auto")),
  );
  expect(found?.map(({ before, after }) => `${before} ${after}`).sort()).toEqual([
    "auto auto",
    "forbidden auto",
    "forbidden forbidden",
  ]);
});

test("no pairs of modes are returned for lists with too many conditions", () => {
  const names = Array.from({ length: 13 }, (_, index) => `n${index}`);
  const many = list(...names.map((name) => where([check(name, "equal", "a")], "auto", "consent")));
  expect(listConceivablePairs([], many, many)).toBeUndefined();
});

test("property: the pair of modes that two lists give to any call is among the returned pairs", () => {
  let listed = 0;
  let tried = 0;
  fc.assert(
    fc.property(anyAsked, anyAsked, ({ params, list: before }, { list: after }) => {
      const pairs = listConceivablePairs(params, before, after);
      if (pairs === undefined) return;
      listed++;
      const known = pairs.map((pair) => `${pair.before} ${pair.after}`);
      const conditions = [...before.clauses, ...after.clauses].flatMap((clause) => clause.conditions);
      const names = [...new Set(conditions.map(({ path }) => path[0] ?? ""))];
      // First gives a value to one argument at a time. Then gives values to all arguments together, from the same index
      // of their vocabularies.
      const trials = names.flatMap((name) => (VOCABULARY[name] ?? []).map((each) => ({ [name]: each })));
      const together = Array.from({ length: 8 }, (_, at) =>
        Object.fromEntries(
          names.flatMap((name) => {
            const values = VOCABULARY[name] ?? [];
            return values.length === 0 ? [] : [[name, values[at % values.length] ?? null]];
          }),
        ),
      );
      for (const args of [{}, ...trials, ...together]) {
        // Only arguments that the gate accepts reach the rules.
        const read = canonicalizeArguments(JSON.stringify(args));
        if (!read.ok || checkRecord(params, read.value.value) !== undefined) continue;
        tried++;
        const modes = [before, after].map((one) => computeMode(one, args, SEEN).mode);
        if (!known.includes(modes.join(" ")))
          throw new Error(`${JSON.stringify([before, after, args])} gives ${modes}`);
      }
    }),
    { numRuns: 100 },
  );
  expect(listed).toBeGreaterThan(60);
  expect(tried).toBeGreaterThan(100);
});
