import { expect, test } from "vitest";
import { HOUR_MS, HourLog } from "./hour.ts";
import { ledgerWith, quota, TestWorld } from "./testing/quota-ledgers.ts";

test("in any sixty minutes, a quota per hour allows no more units than the page states", () => {
  const { world, reserve } = ledgerWith([quota("2 calls per hour")]);
  world.ms = HOUR_MS - 1;
  expect(reserve()).toHaveProperty("lease");
  expect(reserve()).toHaveProperty("lease");
  // A quota that starts again at each full hour would start again here.
  world.ms = HOUR_MS + 1;
  expect(reserve()).toHaveProperty("exhausted");
});

test("units return at most one second after an hour has passed, and never earlier", () => {
  for (const atMs of [0, 1, 999, 1000, 12_345]) {
    const world = new TestWorld();
    const { reserve } = ledgerWith([quota("1 calls per hour")], world);
    world.ms = atMs;
    reserve();
    world.ms = atMs + HOUR_MS;
    expect(reserve()).toHaveProperty("exhausted");
    world.ms = atMs + HOUR_MS + 1000;
    expect(reserve()).toHaveProperty("lease");
  }
});

test("a refund of a unit after its hour has no effect", () => {
  const log = new HourLog();
  const old = log.getTallyAt(0);
  old.add(1n);
  log.getTallyAt(2 * HOUR_MS).add(1n);
  old.giveBack(1n);
  expect(log.getTallyAt(2 * HOUR_MS).spent).toBe(1n);
});

test("states when the next unit is free", () => {
  const log = new HourLog();
  expect(log.getTallyAt(0).resets).toBe("each counts for an hour");
  log.getTallyAt(0).add(1n);
  log.getTallyAt(60_000).add(1n);
  expect(log.getTallyAt(60_000).resets).toBe("the next is free in 60 min");
  expect(log.getTallyAt(3_540_000).resets).toBe("the next is free in 2 min");
  expect(log.getTallyAt(3_600_999).resets).toBe("the next is free in 1 min");
  expect(log.getTallyAt(3_601_000).resets).toBe("the next is free in 1 min");
  expect(log.getTallyAt(3_661_000).resets).toBe("each counts for an hour");
});
