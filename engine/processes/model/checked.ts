import type { StreamChunk } from "../../lib/wire/generated/capos.ts";
import type { AnswerSchema } from "./answer-schema.ts";
import { splitIntoChunks } from "./chunks.ts";
import type { Pieces } from "./pieces.ts";

/**
 * Yields an answer only after it is complete and fits its schema, so that no part of an answer that does not fit is shown. Calls
 * pass unchanged.
 */
export async function* checkPieces(pieces: Pieces, schema: AnswerSchema): Pieces {
  const calls: StreamChunk[] = [];
  try {
    for (;;) {
      const next = await pieces.next();
      if (next.done !== true) {
        if (next.value.textDelta === "") calls.push(next.value);
        continue;
      }
      const answer = next.value;
      if (answer.fault !== undefined) return { ...answer, text: "", calls: [] };
      if (answer.calls.length > 0) {
        yield* calls;
        // Drop the text of an answer with calls: it is not the final answer, and was not checked against the schema.
        return { ...answer, text: "" };
      }
      const misfit = answer.isCut === true ? "the answer was cut off" : schema.check(answer.text);
      if (misfit !== undefined) return { text: "", calls: [], fault: describeMisfit(misfit), isMisshapen: true };
      yield* splitIntoChunks({ text: answer.text, calls: [], pausesUntilCancelled: false });
      return answer;
    }
  } finally {
    await pieces.return({ text: "", calls: [] });
  }
}

/** Returns the sentence that says why an answer is withheld. */
export function describeMisfit(misfit: string): string {
  return `the model's answer does not fit the schema that was asked for: ${misfit}`;
}
