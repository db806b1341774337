import { expect, test } from "vitest";
import type { MessageRecord } from "../../lib/wire/generated/audit.ts";
import { KnownMessages } from "./known-messages.ts";

const message = (number: number): MessageRecord => ({ role: "user", bytes: 1, hash: new Uint8Array(32).fill(number) });
const counts = (known: KnownMessages, conversation: string, messages: readonly MessageRecord[]) => {
  const { messages: fresh, earlier } = known.split(conversation, messages);
  return [fresh.length, earlier];
};

test("a message is new until it is recorded, and is new again in another conversation", () => {
  const known = new KnownMessages();
  const asked = [message(1), message(2)];
  expect([counts(known, "a", asked), counts(known, "a", asked)]).toEqual([
    [2, 0],
    [2, 0],
  ]);
  known.add("a", asked);
  expect(counts(known, "a", [...asked, message(3)])).toEqual([1, 2]);
  expect(counts(known, "b", asked)).toEqual([2, 0]);
  known.add("b", [message(1)]);
  expect([counts(known, "a", asked), counts(known, "b", asked)]).toEqual([
    [2, 0],
    [1, 1],
  ]);
});

test("a message that occurs twice in a request is new until it was recorded twice", () => {
  const known = new KnownMessages();
  known.add("a", [message(1)]);
  expect(counts(known, "a", [message(1), message(1)])).toEqual([1, 1]);
  known.add("a", [message(1)]);
  expect(counts(known, "a", [message(1), message(1), message(1)])).toEqual([1, 2]);
});

test("bounds the remembered messages of a conversation, and drops the oldest first", () => {
  const known = new KnownMessages();
  const numbered = Array.from({ length: 8193 }, (_, index) => {
    const hash = Buffer.alloc(32);
    hash.writeUInt32LE(index);
    return { ...message(0), hash };
  });
  known.add("a", numbered);
  expect(counts(known, "a", numbered)).toEqual([1, 8192]);
});
