import { expect, test } from "vitest";
import type { MessageRecord } from "../../lib/wire/generated/audit.ts";
import { Recorded } from "./recorded.ts";

const message = (number: number): MessageRecord => ({ role: "user", bytes: 1, hash: new Uint8Array(32).fill(number) });
const counts = (recorded: Recorded, conversation: string, messages: readonly MessageRecord[]) => {
  const { messages: fresh, earlier } = recorded.split(conversation, messages);
  return [fresh.length, earlier];
};

test("a message is new until it is on the disk, and new again in another conversation", () => {
  const recorded = new Recorded();
  const asked = [message(1), message(2)];
  expect([counts(recorded, "a", asked), counts(recorded, "a", asked)]).toEqual([
    [2, 0],
    [2, 0],
  ]);
  recorded.add("a", asked);
  expect(counts(recorded, "a", [...asked, message(3)])).toEqual([1, 2]);
  expect(counts(recorded, "b", asked)).toEqual([2, 0]);
  recorded.add("b", [message(1)]);
  expect([counts(recorded, "a", asked), counts(recorded, "b", asked)]).toEqual([
    [2, 0],
    [1, 1],
  ]);
});

test("who says the same again has said it twice", () => {
  const recorded = new Recorded();
  recorded.add("a", [message(1)]);
  expect(counts(recorded, "a", [message(1), message(1)])).toEqual([1, 1]);
  recorded.add("a", [message(1)]);
  expect(counts(recorded, "a", [message(1), message(1), message(1)])).toEqual([1, 2]);
});

test("what is known of a conversation without end is bounded, the oldest goes first", () => {
  const recorded = new Recorded();
  const numbered = Array.from({ length: 8193 }, (_, index) => {
    const hash = Buffer.alloc(32);
    hash.writeUInt32LE(index);
    return { ...message(0), hash };
  });
  recorded.add("a", numbered);
  expect(counts(recorded, "a", numbered)).toEqual([1, 8192]);
});
