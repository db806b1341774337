// Upstream ends logins in time, and keeps no other time of a page.

import { expect, test } from "vitest";
import { compileExample } from "../../compiler/dev/golden/golden.ts";
import { collectLosses } from "./losses.ts";

const { policy } = await compileExample("upstream-capos");

test("times per call, turn and idle are named as lost, and zero is not a time", () => {
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
