// Tests how the gate records answers of models, and what follows when it withdraws the permit for an answer.
import { expect, test } from "vitest";
import { refuse } from "../../lib/result/result.ts";
import type { InferenceRecord, MessageRecord } from "../../lib/wire/generated/audit.ts";
import { MODEL, Stage } from "./testing/stage.ts";

const message = (number: number): MessageRecord => ({ role: "user", bytes: 1, hash: new Uint8Array(32).fill(number) });

/** Begins an answer in which the model reads these messages, and ends it by beginning another answer. */
async function answered(stage: Stage, ...messages: readonly MessageRecord[]): Promise<void> {
  stage.messages = messages;
  await stage.described();
  await stage.described();
}

const inferences = ({ entries }: Stage): readonly InferenceRecord[] =>
  entries.flatMap((entry) => (entry.which === "inference" ? [entry.inference] : []));

test("records an answer with its new messages and the tokens that it used", async () => {
  const stage = new Stage();
  stage.gate.session.beginTurn();
  const { nonce } = await stage.described();
  await answered(stage, message(1), message(2));
  const [first, ...rest] = inferences(stage);
  expect(first).toMatchObject({
    ...{ session: "operator", conversation: "main", turn: 1, model: MODEL.id, backend: MODEL.backend },
    ...{ usage: { promptTokens: 3, outputTokens: 4 }, earlier: 0, messages: [message(1), message(2)], recalled: [] },
  });
  expect(Buffer.compare(first?.nonce ?? new Uint8Array(), nonce)).toBe(0);
  for (const one of rest) expect(one).toMatchObject({ earlier: 2, messages: [] });
  await answered(stage, message(1), message(2), message(3));
  expect(inferences(stage).at(-1)).toMatchObject({ earlier: 3, messages: [] });
  expect(inferences(stage).flatMap(({ messages }) => messages)).toHaveLength(3);
});

test("records no answer if no message was sent for it", async () => {
  const stage = new Stage();
  stage.gate.session.beginTurn();
  await answered(stage);
  expect(inferences(stage)).toEqual([]);
  expect(stage.answers).toContain("settle 7");
});

test("messages that could not be recorded count as new the next time", async () => {
  const stage = new Stage();
  stage.gate.session.beginTurn();
  stage.refuses = "inferences";
  await answered(stage, message(1));
  expect(inferences(stage)).toEqual([]);
  stage.refuses = "nothing";
  await answered(stage, message(1));
  expect(inferences(stage)[0]).toMatchObject({ earlier: 0, messages: [message(1)] });
});

test("records the recalled sayings together with the answer", async () => {
  const stage = new Stage({ recalled: async (conversation) => (conversation === "main" ? [3n, 5n] : []) });
  stage.gate.session.beginTurn();
  await answered(stage, message(1));
  expect(inferences(stage)[0]?.recalled).toEqual([3n, 5n]);
});

test("revoking a consent ends only the answer that depends on it", async () => {
  const stage = new Stage();
  stage.gate.session.beginTurn();
  await stage.described();
  await stage.gate.parts.models.withdrawLeases([3]);
  expect(stage.answers).toEqual(["infer canned in 1", "allow 100"]);
});

test("a worker that does not confirm the withdrawal of its permit gets no other permit", async () => {
  const stage = new Stage();
  stage.gate.session.beginTurn();
  await stage.described();
  stage.keepsPermits = true;
  expect(await stage.gate.offering.describe("main")).toEqual(refuse("the model does not give its permit back: why"));
  expect(stage.answers).toEqual(["infer canned in 1", "allow 100"]);
});
