// Serves a model in the machine as TextEmbedder. Texts are not kept: each comes with a call, and its vector is returned.

import type { Duplex } from "node:stream";
import { type ModelInfo, TextEmbedder, type Vector } from "../../../lib/wire/generated/capos.ts";
import { implement, makeFailure, type Serving, serveInterface } from "../../../lib/wire/index.ts";
import type { Turns } from "../turns.ts";
import type { Embedder } from "./embedder.ts";

interface LocalEmbedder {
  readonly embedder: Pick<Embedder, "tokenize" | "embedTokens">;
  readonly info: ModelInfo;
  readonly turns: Turns;
}

/** Maximum number of texts in one call. A frame has space for this many vectors of a thousand numbers. */
const MOST_TEXTS = 32;
/** Maximum length of all texts of a call together, in UTF-16 units. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Serves callers one after the other. If a caller cancels, its work stops at the next text. A caller that waits for a slow caller does
 * not lose its turn.
 */
export function serveEmbedder(stream: Duplex, { embedder, info, turns }: LocalEmbedder): Serving {
  return serveInterface(stream, [
    implement(TextEmbedder, {
      info: async () => ({ info }),
      embed: async ({ texts }, { signal }) => {
        if (texts.length > MOST_TEXTS)
          return makeFailure("failed", `${texts.length} texts, of which ${MOST_TEXTS} may be`);
        const characters = texts.reduce((sum, text) => sum + text.length, 0);
        if (characters > MOST_CHARACTERS)
          return makeFailure("failed", `${characters} characters, of which ${MOST_CHARACTERS} may be`);
        const turn = await turns.acquire(signal);
        if (turn === undefined) return makeFailure("cancelled", "nobody waits for it any more");
        try {
          const vectors: Vector[] = [];
          for (const text of texts) {
            if (signal.aborted) return makeFailure("cancelled", "it was stopped");
            vectors.push({ values: (await embedder.embedTokens(embedder.tokenize(text))) ?? [] });
          }
          return { vectors };
        } finally {
          turn.release();
        }
      },
    }),
  ]);
}
