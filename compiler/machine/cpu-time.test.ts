import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { expect, test, vi } from "vitest";
import { readChildrenCpuSeconds, readCpuSeconds, readWaitedSeconds } from "./cpu-time.ts";

test("a running process has a CPU time, and a process that does not exist has none", () => {
  const { user, system } = process.cpuUsage();
  const after = readCpuSeconds(process.pid) ?? Number.NaN;
  // Linux rounds CPU time to hundredths of a second, and Node does not. So Linux may report up to 0.1 seconds less.
  expect(after).toBeGreaterThan((user + system) / 1e6 - 0.1);
  expect(readCpuSeconds(0)).toBeUndefined();
});

test("the CPU time of a process includes the CPU time of its running children and of their children", async () => {
  const child = spawn("/bin/sh", ["-c", "sh -c 'while :; do :; done'; true"], { stdio: "ignore" });
  await vi.waitUntil(() => (readCpuSeconds(child.pid) ?? 0) > 0.1, { timeout: 60_000, interval: 20 });
  const [inner] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  process.kill(Number(inner), "SIGKILL");
});

test("the CPU time of a child is included after the child has ended", () => {
  const before = readChildrenCpuSeconds();
  expect(spawnSync("/bin/sh", ["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"]).status).toBe(0);
  expect(readChildrenCpuSeconds()).toBeGreaterThan(before);
});

test("the time that a process waits for a processor is measured, and is 0 for a process that does not exist", async () => {
  expect(readWaitedSeconds(0)).toBe(0);
  const words = ["-c", "while :; do :; done"];
  const busy = Array.from({ length: availableParallelism() * 2 + 1 }, () =>
    spawn("/bin/sh", words, { stdio: "ignore" }),
  );
  const most = (): number => Math.max(...busy.map(({ pid }) => readWaitedSeconds(pid)));
  await vi.waitUntil(() => most() > 0.1, { timeout: 60_000, interval: 20 });
  for (const child of busy) child.kill("SIGKILL");
});
