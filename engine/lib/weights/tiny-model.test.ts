import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeTinyModel } from "./testing/tiny-model.ts";

test("the weights of examples/offline-agent match the generator's output", () => {
  const committed = readFileSync(new URL("../../../examples/offline-agent/models/tiny.gguf", import.meta.url));
  expect(committed.equals(makeTinyModel({ contextTokens: 4096 }))).toBe(true);
});
