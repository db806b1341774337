import { expect, test } from "vitest";
import { createMemoryWorld } from "../../cli/memory-world.ts";
import { createProgress } from "./progress.ts";

test("on a terminal, each step replaces the line of the previous step, and the line of the last step is cleared", () => {
  const world = createMemoryWorld({ errorIsTerminal: true });
  const progress = createProgress(world);
  progress.step("policy tables");
  progress.step("image");
  progress.done();
  const shown = world.reported().split("\r\u001b[K");
  expect(shown).toEqual(["", "capc: policy tables …", "capc: image …", ""]);
  expect(world.printed()).toBe("");
});

test("progress is not printed if the output is not a terminal", () => {
  const world = createMemoryWorld();
  const progress = createProgress(world);
  progress.step("image");
  progress.done();
  expect(world.reported()).toBe("");
});
