import { expect, test } from "vitest";
import type { Clause, Condition } from "../wire/generated/policy.ts";
import {
  asksForSources,
  countComparisons,
  findDisplaced,
  findGroupFault,
  listClauseModes,
  listOutcomes,
  listWays,
  planGroups,
  weaken,
} from "./clause-groups.ts";
import type { Truth } from "./condition.ts";
import { always, check, where } from "./testing/sample.ts";

const [A, B] = ["a", "b"].map((name) => check(name, "equal", true)) as [Condition, Condition];
const FROM: Condition = { ...check("to", "from"), sources: [{ which: "person" }] };

const inGroup = (group: number, ...clauses: readonly Clause[]) => clauses.map((clause) => ({ ...clause, group }));
const LINES = [
  ...inGroup(1, always("consent"), where([A], "auto", "stepUp"), where([A, B], "forbidden", "consent")),
  where([B], "stepUp", "auto"),
];

test.each<[readonly Truth[], ReturnType<typeof listOutcomes>]>([
  [
    ["holds", "holds", "holds", "holds"],
    [
      { clause: 2, mode: "forbidden" },
      { clause: 3, mode: "stepUp" },
    ],
  ],
  [
    ["holds", "holdsWeakly", "fails", "fails"],
    [
      { clause: 1, mode: "consent" },
      { clause: 3, mode: "auto" },
    ],
  ],
  [
    ["holds", "fails", "fails", "holdsWeakly"],
    [
      { clause: 0, mode: "consent" },
      { clause: 3, mode: "stepUp" },
    ],
  ],
])("if the conditions evaluate to %j, returns the deciding rule of each group and its mode", (truths, outcomes) => {
  expect(listOutcomes(LINES, truths)).toEqual(outcomes);
});

test.each<[readonly Truth[], readonly (readonly [number, number])[]]>([
  [
    ["holds", "holds", "holds", "holds"],
    [
      [1, 2],
      [0, 1],
    ],
  ],
  [
    ["holds", "holds", "holdsWeakly", "fails"],
    [
      [1, 2],
      [0, 1],
    ],
  ],
  [["holds", "holdsWeakly", "fails", "fails"], [[0, 1]]],
  [["holds", "fails", "holds", "holds"], [[0, 2]]],
  [["holds", "fails", "fails", "holds"], []],
])(
  "if the conditions of the rules evaluate to %j, returns each displaced rule with the first rule that displaces it",
  (truths, displaced) => {
    expect([...findDisplaced(LINES, truths)]).toEqual(displaced);
  },
);

test("rules with the same conditions are displaced together by a more specific rule, or decide together", () => {
  const lines = inGroup(1, where([A], "auto", "auto"), where([A], "consent", "auto"), where([B, A], "stepUp", "auto"));
  expect([...findDisplaced(lines, ["holds", "holds", "holds"])]).toEqual([
    [0, 2],
    [1, 2],
  ]);
  expect(listOutcomes(lines, ["holds", "holds", "fails"])).toEqual([
    { clause: 0, mode: "auto" },
    { clause: 1, mode: "consent" },
  ]);
});

test("a group of rules can decide in one way for each set of conditions, and in one way if no set matches", () => {
  expect(listWays(LINES)).toEqual([
    [[{ clause: 1, mode: "auto" }], [{ clause: 2, mode: "forbidden" }], [{ clause: 0, mode: "consent" }]],
    [[{ clause: 3, mode: "stepUp" }], [{ clause: 3, mode: "auto" }]],
  ]);
  const bare = inGroup(1, where([A], "auto", "stepUp"), where([B], "auto", "consent"));
  expect(listWays(bare)[0]?.at(-1)).toEqual([
    { clause: 0, mode: "stepUp" },
    { clause: 1, mode: "consent" },
  ]);
});

test("each set of conditions costs one comparison for each set with its rarest condition; the costliest group counts", () => {
  const group = inGroup(1, where([A], "auto", "auto"), where([A, B], "auto", "auto"));
  // Both sets contain `a`, so the set {a} costs two comparisons. The rarest condition of the set {a, b} is `b`, which
  // only this set contains, so {a, b} costs one comparison.
  expect(countComparisons(group)).toBe(3);
  expect(countComparisons([...group, ...inGroup(2, where([A], "auto", "auto"), where([B], "auto", "auto"))])).toBe(3);
  expect(countComparisons([always("auto"), where([A], "auto", "auto")])).toBe(0);
  expect(planGroups(group)).toBe(planGroups(group));
});

test("groups of rules are numbered in the order of their first rules, and have at least two rules", () => {
  const line = (group: number) => ({ ...always("auto"), group });
  expect(findGroupFault([1, 0, 1, 2, 2].map(line))).toBeUndefined();
  expect(findGroupFault([0, 0].map(line))).toBeUndefined();
  expect(findGroupFault([1, 1, 3, 3].map(line))).toBe("group 3 is used before group 2");
  expect(findGroupFault([1, 2, 2].map(line))).toBe("group 1 has one clause only");
});

test("lists the modes of a rule, including its gate for weak sources", () => {
  expect(listClauseModes({ ...always("auto"), otherwise: "forbidden" })).toEqual(["auto"]);
  expect(listClauseModes(where([A], "auto", "stepUp"))).toEqual(["auto", "stepUp"]);
  expect(listClauseModes(where([A, FROM], "auto", "stepUp"))).toEqual(["auto", "consent", "stepUp"]);
  expect(listClauseModes(where([FROM], "consent", "forbidden"))).toEqual(["consent", "forbidden"]);
  expect([where([A], "auto", "auto"), where([A, FROM], "auto", "auto")].map(asksForSources)).toEqual([false, true]);
  const modes = ["auto", "consent", "stepUp", "forbidden"] as const;
  expect(modes.map(weaken)).toEqual(["consent", "consent", "stepUp", "forbidden"]);
});
