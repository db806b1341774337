import { expect, test } from "vitest";
import { createMemoryWorld } from "../../cli/memory-world.ts";
import { createProgress } from "./progress.ts";

test("on a terminal each step takes the place of the one before, and the last leaves nothing behind", () => {
  const world = createMemoryWorld({ errorIsTerminal: true });
  const progress = createProgress(world);
  progress.step("policy tables");
  progress.step("image");
  progress.done();
  const shown = world.reported().split("\r\u001b[K");
  expect(shown).toEqual(["", "capc: policy tables …", "capc: image …", ""]);
  expect(world.printed()).toBe("");
});

test("elsewhere it is not shown, because a log has no lines to replace", () => {
  const world = createMemoryWorld();
  const progress = createProgress(world);
  progress.step("image");
  progress.done();
  expect(world.reported()).toBe("");
});
