import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { expect, test, vi } from "vitest";
import { readChildrenCpuSeconds, readCpuSeconds, readWaitedSeconds } from "./cpu-time.ts";

test("a process that works uses CPU time, and one that is not there has none", () => {
  const { user, system } = process.cpuUsage();
  const after = readCpuSeconds(process.pid) ?? Number.NaN;
  // Never less than what Node knew of it before, but for the hundredths that Linux rounds off.
  expect(after).toBeGreaterThan((user + system) / 1e6 - 0.1);
  expect(readCpuSeconds(0)).toBeUndefined();
});

test("children count when they have ended", () => {
  const before = readChildrenCpuSeconds();
  expect(spawnSync("/bin/sh", ["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]).status).toBe(0);
  expect(readChildrenCpuSeconds()).toBeGreaterThan(before);
});

test("a job waits for a free processor, and a job that is gone waits for none", async () => {
  expect(readWaitedSeconds(0)).toBe(0);
  const words = ["-c", "while :; do :; done"];
  const busy = Array.from({ length: availableParallelism() * 2 + 1 }, () =>
    spawn("/bin/sh", words, { stdio: "ignore" }),
  );
  const most = (): number => Math.max(...busy.map(({ pid }) => readWaitedSeconds(pid)));
  await vi.waitUntil(() => most() > 0.1, { timeout: 60_000, interval: 20 });
  for (const child of busy) child.kill("SIGKILL");
});
