import { expect, test } from "vitest";
import type { Clause, Condition } from "../wire/generated/policy.ts";
import { findGroupFault, planGroups } from "./clause-groups.ts";
import type { JsonRecord } from "./json-reader.ts";
import { chooseAdvertisedMode, computeMode, computeStrictestMode, type PermissionMode } from "./mode.ts";
import { always, check, where } from "./testing/sample.ts";

const SEEN = { label: { confidentiality: 0, integrity: 0, compartments: 0n }, unattended: false };
const [A, B, C] = ["a", "b", "c"].map((name) => check(name, "equal", true)) as [Condition, Condition, Condition];

function inGroup(...clauses: readonly Clause[]): readonly Clause[] {
  return clauses.map((clause, rule) => ({ ...clause, rule, group: 1 }));
}

/**
 * Returns the mode, and the number of the rule that decides. The arguments named in `args` are true, and all others are
 * false.
 */
function decideWith(clauses: readonly Clause[], args: string): string {
  const record = Object.fromEntries(
    ["a", "b", "c"].map((name) => [name, args.includes(name)]),
  ) as unknown as JsonRecord;
  const { mode, rule } = computeMode({ clauses, floors: [] }, record, SEEN);
  return `${mode} ${rule}`;
}

test.each<[string, readonly Clause[], Readonly<Record<string, string>>]>([
  [
    "the strictest matching rule of overlapping ones decides, and an else only if none matches",
    inGroup(where([A], "auto", "consent"), where([B], "consent", "forbidden")),
    { a: "auto 0", b: "consent 1", ab: "consent 1", c: "forbidden 1" },
  ],
  [
    "a rule with more conditions displaces one with fewer, even if it is looser",
    inGroup(where([A], "forbidden", "consent"), where([B, A], "auto", "consent")),
    { a: "forbidden 0", ab: "auto 1", b: "consent 0" },
  ],
  [
    "any matching rule displaces one without conditions",
    inGroup(always("consent"), where([A], "auto", "consent"), where([B], "stepUp", "consent")),
    { "": "consent 0", a: "auto 1", b: "stepUp 2", ab: "stepUp 2" },
  ],
  [
    "a displaced rule still displaces others",
    inGroup(where([A], "forbidden", "auto"), where([A, B], "consent", "auto"), where([A, B, C], "auto", "auto")),
    { a: "forbidden 0", ab: "consent 1", abc: "auto 2", bc: "auto 0" },
  ],
  [
    "rules with the same conditions do not displace each other, and the stricter one decides",
    inGroup(where([A, B], "auto", "auto"), where([B, A, A], "consent", "auto")),
    { ab: "consent 1", a: "auto 0" },
  ],
  [
    "the strictest group decides",
    [...inGroup(where([A], "auto", "forbidden"), where([B], "auto", "forbidden")), { ...always("consent"), rule: 2 }],
    { a: "consent 2", "": "forbidden 0" },
  ],
])("%s", (_, clauses, answers) => {
  for (const [args, answer] of Object.entries(answers))
    expect([args, decideWith(clauses, args)]).toEqual([args, answer]);
});

test("if a condition is unknown, the strictest mode of all rules in the list applies", () => {
  const clauses = inGroup(where([A], "auto", "consent"), where([check("b", "less", 1)], "consent", "stepUp"));
  expect(decideWith(clauses, "a")).toBe("stepUp 1");
});

test("the order of the values of `in` does not change a condition", () => {
  const [one, other] = [check("a", "in", "x", "y"), check("a", "in", "y", "x")];
  const clauses = inGroup(where([one], "forbidden", "auto"), where([other, B], "auto", "auto"));
  expect(planGroups(clauses)).toEqual([
    {
      plain: [],
      sets: [
        { members: [0], above: [1] },
        { members: [1], above: [] },
      ],
    },
  ]);
});

test.each<[readonly Clause[], PermissionMode, PermissionMode]>([
  [inGroup(where([A], "auto", "forbidden"), where([B], "consent", "forbidden")), "consent", "forbidden"],
  [inGroup(where([A], "forbidden", "auto"), where([B], "forbidden", "forbidden")), "forbidden", "forbidden"],
  [inGroup(where([A], "forbidden", "auto"), always("forbidden")), "forbidden", "forbidden"],
  [inGroup(where([A], "stepUp", "auto"), always("forbidden")), "stepUp", "forbidden"],
])("advertises a tool as forbidden only if no rule lets it run", (clauses, advertised, strictest) => {
  const list = { clauses, floors: [] };
  expect([chooseAdvertisedMode(list, SEEN), computeStrictestMode(list, SEEN)]).toEqual([advertised, strictest]);
});

test.each<[string, readonly number[], RegExp]>([
  ["a number before its turn", [2, 2], /group 2 is used before group 1/],
  ["a group of one", [1, 1, 2], /group 2 has one clause only/],
  ["the largest number", [65_535, 65_535], /used before group 1/],
])("reports the fault of an invalid group of rules: %s", (_, groups, fault) => {
  expect(findGroupFault(groups.map((group) => ({ ...always("auto"), group })))).toMatch(fault);
});

test("compares ten thousand rules about one tool quickly, and refuses rules that all overlap", () => {
  const path = (at: number) => check("path", "under", `/${at}`);
  const lines = Array.from({ length: 10_000 }, (_, at) => where([A, path(at)], "auto", "consent"));
  const apart = inGroup(where([A], "consent", "consent"), ...lines);
  const begun = performance.now();
  expect(findGroupFault(apart)).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(10_000);
  const some = (at: number) => Array.from({ length: 13 }, (_, bit) => bit).filter((bit) => (at >> bit) % 2 === 1);
  const overlapping = Array.from({ length: 2 ** 13 }, (_, at) => where([A, ...some(at).map(path)], "auto", "consent"));
  expect(findGroupFault(inGroup(...overlapping))).toMatch(/overlap in more ways/);
  expect(performance.now() - begun).toBeLessThan(20_000);
});
