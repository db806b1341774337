import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatMessage, StreamChunk } from "../../lib/wire/generated/capos.ts";
import { splitIntoChunks } from "./chunks.ts";
import { MessageRecorder, recordOf } from "./message-recorder.ts";

const role = fc.constantFrom("system" as const, "user" as const, "assistant" as const, "tool" as const);
const call = fc.record({ id: fc.string({ minLength: 1 }), name: fc.string({ minLength: 1 }), arguments: fc.string() });
const message: fc.Arbitrary<ChatMessage> = fc.record({
  role,
  content: fc.string({ unit: "grapheme" }),
  toolCallId: fc.string(),
  toolCalls: fc.array(call, { maxLength: 3 }),
});

function recorded(messages: readonly ChatMessage[], chunks: Iterable<StreamChunk>) {
  const told = new MessageRecorder();
  told.recordMessages(messages);
  for (const chunk of chunks) told.recordChunk(chunk);
  return told.listRecords();
}

test("records a streamed answer like the same answer sent as a whole", () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 4 }),
      fc.string({ unit: "grapheme" }),
      fc.array(call, { maxLength: 3 }),
      (asked, text, calls) => {
        const said: ChatMessage = { role: "assistant", content: text, toolCallId: "", toolCalls: calls };
        const expected = text === "" && calls.length === 0 ? asked : [...asked, said];
        expect(recorded(asked, splitIntoChunks({ text, calls, pausesUntilCancelled: false }))).toEqual(
          expected.map(recordOf),
        );
      },
    ),
    { numRuns: 50 },
  );
});

test("messages that differ in any field have different hashes", () => {
  const one: ChatMessage = { role: "user", content: "a", toolCallId: "", toolCalls: [] };
  const others: readonly ChatMessage[] = [
    { ...one, role: "tool" },
    { ...one, content: "b" },
    { ...one, toolCallId: "1" },
    { ...one, toolCalls: [{ id: "", name: "", arguments: "" }] },
  ];
  const hashes = [one, ...others].map((message) => Buffer.from(recordOf(message).hash).toString("hex"));
  expect(new Set(hashes).size).toBe(5);
});

test("a stream with many calls or a high index uses no extra memory", () => {
  const delta = (index: number): StreamChunk => ({
    textDelta: "",
    toolCallDelta: { index, id: "x", name: "", argumentsDelta: "" },
  });
  expect(recorded([], [delta(65_535)])).toEqual([]);
  expect(recorded([], [delta(255), delta(256)])).toEqual(recorded([], [delta(255)]));
});
