import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, indexTables, join } from "../../../engine/lib/policy/index.ts";
import { anyLabel, anyScene } from "../../../engine/lib/policy/testing/arbitrary.ts";
import { enumerateCandidates, explainDisagreement } from "./candidates.ts";

test("property: a decision that is the same at both ends of a label range is the same for all labels in the range", () => {
  let agreed = 0;
  fc.assert(
    fc.property(anyScene, anyLabel, anyLabel, ({ tables, conversation, call }, more, most) => {
      const indexed = indexTables(tables);
      if (!indexed.ok) throw new Error(indexed.reason);
      const least = conversation.label;
      const between = join(least, more);
      const standing = { rows: [conversation.row], least, most: join(between, most) };
      const found = enumerateCandidates(indexed.value, standing, [conversation.unattended], call);
      fc.pre(explainDisagreement(found) === undefined);
      const spent = tables.rows[conversation.row]?.quotas.map(() => 0n) ?? [];
      const decision = decide(indexed.value, { ...conversation, spent, label: between }, call);
      const task = tables.rows[conversation.row]?.task ?? "";
      const answer = decision.kind === "gated" ? decision.gate : decision.outcome;
      const isParked = decision.kind === "gated" && answer !== "auto" && conversation.unattended && task !== "";
      expect(isParked ? "parked" : answer).toBe(found[0]?.answer);
      agreed += 1;
    }),
    { numRuns: 500 },
  );
  expect(agreed).toBeGreaterThan(100);
});
