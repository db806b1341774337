import { expect, test } from "vitest";
import { parseAcknowledged } from "./acknowledged-record.ts";

const HASH = "0123456789abcdef".repeat(4);

test("the end of the chain is acknowledged where the console tells it", () => {
  expect(parseAcknowledged(`* the chain ends at 45, sha256 ${HASH}`)).toEqual({ sequence: 45n, hash: HASH });
});

test.each([
  ["a model's words", `agent> * the chain ends at 45, sha256 ${HASH}`],
  ["an end that is not durable", `* the chain ends at 45, sha256 ${HASH}; nothing more is recorded durably`],
  ["an empty chain", `* the chain ends at 0, sha256 ${HASH}`],
  ["half a hash", `* the chain ends at 45, sha256 ${HASH.slice(32)}`],
])("%s acknowledges nothing", (_, line) => {
  expect(parseAcknowledged(line)).toBeUndefined();
});
