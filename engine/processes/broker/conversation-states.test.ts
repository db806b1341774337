import { expect, test } from "vitest";
import { ConversationStates, MAX_KEPT, MAX_STATE_BYTES } from "./conversation-states.ts";

test("returns the newest state of a conversation, and never the state of another conversation", () => {
  const kept = new ConversationStates("operator");
  const state = Buffer.from("one");
  expect(kept.keep("a", state)).toBeUndefined();
  state[0] = 0;
  expect([Buffer.from(kept.getState("a")).toString(), kept.getState("b")]).toEqual(["one", new Uint8Array()]);
  kept.keep("a", Buffer.from("two"));
  expect(Buffer.from(kept.getState("a")).toString()).toBe("two");
});

test("refuses a state that is too large and a conversation beyond the limit, and keeps all earlier states", () => {
  const kept = new ConversationStates("operator");
  expect(kept.keep("big", new Uint8Array(MAX_STATE_BYTES + 1))).toBe(
    "the state of a conversation has at most 4096 bytes",
  );
  expect(kept.keep("big", new Uint8Array(MAX_STATE_BYTES))).toBeUndefined();
  for (let index = 1; index < MAX_KEPT; index += 1) kept.keep(String(index), Buffer.from("x"));
  expect(kept.keep("new", Buffer.from("x"))).toMatch(/no room for another/);
  expect(kept.keep("big", Buffer.from("y"))).toBeUndefined();
  expect([kept.getState("new").length, kept.getState("1").length, kept.getState("big").length]).toEqual([0, 1, 1]);
});

test("forgetting a conversation frees space for another conversation", () => {
  const kept = new ConversationStates("operator");
  for (let index = 0; index < MAX_KEPT; index += 1) kept.keep(String(index), Buffer.from("x"));
  expect([kept.forget("7"), kept.getState("7").length, kept.getState("8").length]).toEqual([undefined, 0, 1]);
  expect([kept.keep("new", Buffer.from("x")), kept.getState("new").length]).toEqual([undefined, 1]);
  expect(kept.keep("one more", Buffer.from("x"))).toMatch(/no room for another/);
});
