import { expect, test } from "vitest";
import { parseAcknowledged } from "./acknowledged-record.ts";

const HASH = "0123456789abcdef".repeat(4);

test("the sequence number and the hash are read from the console's line about the end of the chain", () => {
  expect(parseAcknowledged(`* the chain ends at 45, sha256 ${HASH}`)).toEqual({ sequence: 45n, hash: HASH });
});

test.each([
  ["a model's text", `agent> * the chain ends at 45, sha256 ${HASH}`],
  ["an end that is not stored durably", `* the chain ends at 45, sha256 ${HASH}; nothing more is recorded durably`],
  ["an empty chain", `* the chain ends at 0, sha256 ${HASH}`],
  ["a truncated hash", `* the chain ends at 45, sha256 ${HASH.slice(32)}`],
])("%s is not an acknowledgement", (_, line) => {
  expect(parseAcknowledged(line)).toBeUndefined();
});
