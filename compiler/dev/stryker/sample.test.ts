import { expect, test } from "vitest";
import { createSampler } from "./sample.ts";

const changes = Array.from({ length: 4000 }, (_, line) => ({
  replacement: "false",
  location: { start: { line, column: 1 }, end: { line, column: 9 } },
}));

/** Returns the lines of the selected mutants. */
function drawn(env: NodeJS.ProcessEnv, folder = "engine/processes/gate"): readonly number[] {
  const isDrawn = createSampler(env);
  return changes.filter((one) => isDrawn(`${folder}/gate.ts`, one)).map(({ location }) => location.start.line);
}

test("a sample has about the requested share of mutants, or all mutants if no share is requested", () => {
  expect(drawn({})).toHaveLength(4000);
  expect(drawn({ SAMPLE: "", SEED: "6" })).toHaveLength(4000);
  const { length } = drawn({ SAMPLE: "0.25", SEED: "6" });
  expect(Math.abs(length - 1000)).toBeLessThan(100);
});

test("a seed selects the same mutants in every folder, and another seed selects other mutants", () => {
  const one = drawn({ SAMPLE: "0.25", SEED: "6" });
  expect(drawn({ SAMPLE: "0.25", SEED: "6" }, "/elsewhere/engine/gate")).toEqual(one);
  expect(drawn({ SAMPLE: "0.25", SEED: "7" })).not.toEqual(one);
});
