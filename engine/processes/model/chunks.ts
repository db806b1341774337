import type { StreamChunk, ToolCall, ToolCallDelta } from "../../lib/wire/generated/capos.ts";
import type { Answer } from "./stub.ts";

/**
 * Maximum code points in one chunk, of text or of a call's arguments: so few that a person sees the answer arrive in
 * pieces.
 */
const TEXT_STEP = 16;
const ARGUMENT_STEP = 32;
/** Empty call of a chunk that carries text. */
export const NO_CALL: ToolCallDelta = { index: 0, id: "", name: "", argumentsDelta: "" };

/** Yields an answer piece by piece, text first, as a model decodes it. */
export function* splitIntoChunks(answer: Answer): Generator<StreamChunk> {
  const points = [...answer.text];
  for (let at = 0; at < points.length; at += TEXT_STEP) {
    yield { textDelta: points.slice(at, at + TEXT_STEP).join(""), toolCallDelta: NO_CALL };
  }
  for (const [index, call] of answer.calls.entries()) yield* callChunks(index, call);
}

function* callChunks(index: number, call: ToolCall): Generator<StreamChunk> {
  yield { textDelta: "", toolCallDelta: { index, id: call.id, name: call.name, argumentsDelta: "" } };
  const points = [...call.arguments];
  for (let at = 0; at < points.length; at += ARGUMENT_STEP) {
    const argumentsDelta = points.slice(at, at + ARGUMENT_STEP).join("");
    yield { textDelta: "", toolCallDelta: { index, id: "", name: "", argumentsDelta } };
  }
}
