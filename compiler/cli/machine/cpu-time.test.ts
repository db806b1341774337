import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { cpuSecondsOf, cpuSecondsOfChildren } from "./cpu-time.ts";

test("a process that works uses CPU time, and one that is not there has none", () => {
  const before = cpuSecondsOf(process.pid) ?? Number.NaN;
  const { user, system } = process.cpuUsage();
  // Never less than what Node knows of it, but for the hundredths that Linux rounds off.
  expect(before).toBeGreaterThan((user + system) / 1e6 - 0.1);
  expect(cpuSecondsOf(0)).toBeUndefined();
});

test("children count when they have ended", () => {
  const before = cpuSecondsOfChildren();
  expect(spawnSync("/bin/sh", ["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]).status).toBe(0);
  expect(cpuSecondsOfChildren()).toBeGreaterThan(before);
});
