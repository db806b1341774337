import { expect, test } from "vitest";
import { MODES } from "../../../lang/grammar/index.ts";
import { PermissionMode } from "../wire/generated/capos.ts";
import { computeMode, isStricter } from "./mode.ts";
import { check, PUBLIC, where } from "./testing/sample.ts";

test("the language and the schema have the same modes, from the loosest to the strictest", () => {
  expect(MODES.toSorted()).toEqual(PermissionMode.members.toSorted());
  const pairs = MODES.slice(1).map((mode, index) => [mode, MODES[index]] as const);
  expect(pairs.filter(([mode, looser]) => looser === undefined || !isStricter(mode, looser))).toEqual([]);
});

test("if the sources of an argument are unknown, the strictest mode of all rules decides, including rules without `from`", () => {
  const from = { ...check("path", "from"), sources: [{ which: "person" }] } as const;
  const under = check("path", "under", "/a");
  const rules = [where([from], "auto", "consent"), where([under], "auto", "forbidden", 1)];
  const decideFor = (clauses: typeof rules) =>
    computeMode({ clauses, floors: [] }, { path: "/a" }, { label: PUBLIC, unattended: false }).mode;
  expect(decideFor(rules.slice(0, 1))).toBe("consent");
  expect(decideFor(rules)).toBe("forbidden");
});
