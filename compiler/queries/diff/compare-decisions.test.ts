import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeMode,
  type Json,
  type JsonRecord,
  type PermissionMode,
  type Sources,
} from "../../../engine/lib/policy/index.ts";
import { check, where } from "../../../engine/lib/policy/testing/sample.ts";
import type { Clause, Condition, Decision, Param, Source } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { compareDecisions, type DecisionChange } from "./compare-decisions.ts";

const STARTS = { confidentiality: 0, integrity: 2, compartments: 0n };

const text = (name: string): Param => ({ name, required: true, type: { which: "text", text: { maxBytes: 131_072 } } });
const PARAMS: readonly Param[] = [
  text("path"),
  text("content"),
  { name: "to", required: true, type: { which: "list", list: { which: "text", text: { maxBytes: 0 } } } },
];

const from = (path: string, ...sources: readonly Source["which"][]): Condition => ({
  ...check(path, "from"),
  literals: [],
  sources: sources.map((which) => ({ which }) as Source),
});
const ofLinks = (each: "every" | "some", ...sources: readonly Source["which"][]): Condition => ({
  ...from("content", ...sources),
  each,
  extract: "urls",
});
const size = (operator: Condition["operator"], bytes: number): Condition => ({
  ...check("content", operator, bytes),
  term: "size",
});

/**
 * Returns a decision list without floors. Its clauses are one group: of those that match a call, only the most specific
 * ones decide.
 */
const list = (...clauses: readonly Clause[]): Decision => ({
  clauses: clauses.map((clause) => ({ ...clause, group: clauses.length > 1 ? 1 : 0 })),
  floors: [],
});
const steps = (changes: readonly DecisionChange[]) => changes.map(({ before, after }) => `${before} → ${after}`);

const TYPED = where([from("path", "person")], "auto", "consent");

test("the change to the loosest mode is shown even if it needs a value with two elements from different sources", () => {
  const before = list(TYPED, where([ofLinks("some", "untrusted")], "forbidden", "auto"));
  const after = list(TYPED, where([ofLinks("every", "untrusted")], "forbidden", "auto"));
  const { widens, narrows } = compareDecisions(PARAMS, before, after, STARTS);
  expect(widens).toMatchObject([
    { before: "forbidden", after: "auto", arguments: expect.stringContaining("https://a.example https://b.example") },
  ]);
  expect(steps(narrows)).toEqual(["auto → forbidden"]);
});

test("the change to the loosest mode is shown even if a smaller change is found first", () => {
  const before = list(TYPED, where([ofLinks("some", "untrusted")], "forbidden", "auto"));
  const after = list(TYPED, where([ofLinks("some", "untrusted"), size("greater", 100)], "forbidden", "auto"));
  const { widens } = compareDecisions(PARAMS, before, after, STARTS);
  expect(steps(widens)).toEqual(["forbidden → auto"]);
  expect(widens[0]?.arguments).toBeDefined();
});

test("if the change to the loosest mode is not the change across the most modes, both are shown", () => {
  const before = list(where([check("path", "equal", "a")], "consent", "forbidden"));
  const after = list(where([check("path", "equal", "a")], "auto", "stepUp"));
  const { widens } = compareDecisions(PARAMS, before, after, STARTS);
  expect(steps(widens)).toEqual(["consent → auto"]);
  const wider = list(where([check("path", "equal", "a")], "auto", "consent"));
  expect(steps(compareDecisions(PARAMS, before, wider, STARTS).widens)).toEqual([
    "consent → auto",
    "forbidden → consent",
  ]);
});

const sources = fc.subarray<Source["which"]>(["person", "pasted", "untrusted"], { minLength: 1 });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  sources.map((named) => from("path", ...named)),
  fc.tuple(fc.constantFrom("every" as const, "some" as const), sources).map(([each, named]) => ofLinks(each, ...named)),
  fc
    .tuple(fc.constantFrom("every" as const, "some" as const), sources)
    .map(([each, named]) => ({ ...from("to", ...named), each })),
  fc
    .tuple(fc.constantFrom("less" as const, "greater" as const), fc.constantFrom(20, 36))
    .map(([one, n]) => size(one, n)),
);
const mode = fc.constantFrom<PermissionMode>(...MODES);
const anyList = fc
  .array(
    fc
      .tuple(fc.array(condition, { maxLength: 2 }), mode, mode)
      .map(([conditions, met, otherwise]) => where(conditions, met, otherwise)),
    { minLength: 1, maxLength: 2 },
  )
  .map((clauses) => list(...clauses));

const WORDS = ["a", "https://a.example", "https://b.example", "https://c.example"];
const anyCall: fc.Arbitrary<JsonRecord> = fc.record({
  path: fc.constantFrom<Json>("", "a"),
  content: fc.subarray(WORDS.slice(1)).map((links): Json => links.join(" ")),
  to: fc.subarray(WORDS).map((words): Json => words),
});
/** For each of the four texts in `WORDS`, the sources that contain it. */
const anyOrigins = fc.array(fc.subarray(["person", "pasted", "untrusted"]), { minLength: 4, maxLength: 4 });

function sourcesOf(origins: readonly (readonly string[])[]): Sources {
  return {
    judge: (value, asked) => {
      const known = origins[WORDS.indexOf(String(value))] ?? [];
      const named = asked.map(({ which }) => which);
      if (named.includes("person") && known.includes("person")) return "strong";
      const isUntrusted = !known.includes("person") && known.length > 0;
      const isWeak =
        (named.includes("pasted") && known.includes("pasted")) || (named.includes("untrusted") && isUntrusted);
      return isWeak ? "weak" : "none";
    },
    trace: () => undefined,
  };
}

test("property: no call changes further than the reported changes, whatever the sources of its arguments are", () => {
  let changed = 0;
  fc.assert(
    fc.property(
      anyList,
      anyList,
      fc.array(fc.tuple(anyCall, anyOrigins), { minLength: 16 }),
      (before, after, calls) => {
        const { widens, narrows } = compareDecisions(PARAMS, before, after, STARTS);
        for (const [args, origins] of calls) {
          const seen = { label: STARTS, unattended: false, sources: sourcesOf(origins) };
          const [was, is] = [before, after].map((one) => MODES.indexOf(computeMode(one, args, seen).mode));
          if (was === undefined || is === undefined || was === is) continue;
          changed++;
          const told = was > is ? widens : narrows;
          const isFar = ({ after: outcome }: DecisionChange) =>
            was > is ? MODES.indexOf(outcome) <= is : MODES.indexOf(outcome) >= is;
          const isWide = (one: DecisionChange) =>
            Math.abs(MODES.indexOf(one.before) - MODES.indexOf(one.after)) >= Math.abs(was - is);
          if (told.some(isFar) && told.some(isWide)) continue;
          throw new Error(
            `${JSON.stringify({ before, after, args, origins })}: ${MODES[was]} → ${MODES[is]}, ${steps(told)}`,
          );
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(changed).toBeGreaterThan(500);
});
