// Tests that all timeouts of a page are listed as lost, except the time per login.

import { expect, test } from "vitest";
import { compileExample } from "../../compiler/dev/golden/golden.ts";
import { collectLosses } from "./losses.ts";

const { policy } = await compileExample("upstream-capos");

test("the timeout of a turn and the idle timeout are listed as lost, but a timeout of zero is not listed", () => {
  const timeouts = { callMs: 0, turnMs: 7, loginMs: 0, idleMs: 9 };
  const rows = policy.tables.rows.map((row) => ({ ...row, timeouts }));
  const told = collectLosses({ ...policy, tables: { ...policy.tables, rows } }).filter(
    ({ subject }) => subject === "session operator",
  );
  expect(told.map(({ what }) => what).filter((what) => what.startsWith("timeout"))).toEqual([
    "timeout of 7 ms per turn",
    "timeout of 9 ms per idle",
  ]);
});
