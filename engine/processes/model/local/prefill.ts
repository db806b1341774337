// Computes states when an image is built: with the worker's own engine, with one compute backend (`STATE_FORM`), on one
// thread and in the worker's batches. The same weights and tokens then give the same bytes on every machine that
// supports this backend. Backends for other processors round differently, but a worker with another backend can
// continue from these states as well as from its own.

import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Result, refuse } from "../../../lib/result/result.ts";
import type { Piece } from "./chat.ts";
import { Decoder } from "./decoder.ts";
import { type FORMS, loadEngine } from "./engine.ts";
import { computeStateKey } from "./state.ts";
import { readTokens } from "./states.ts";

/**
 * Instruction set that every processor of the last ten years supports. With a newer instruction set, two machines of one project
 * would give different states; with an older one, computing states takes twenty times as long.
 */
export const STATE_FORM: (typeof FORMS)[number] = "haswell";

/** Minimum number of tokens of the context that must remain free after a prompt head. */
const LEAST_ROOM = 64;

export interface PrefillOrder {
  /** The engine's files, as in an image. */
  readonly engine: string;
  readonly weights: string;
  /** Id of the weights. */
  readonly model: string;
  readonly contextTokens: number;
  /** Folder into which states are written, each named by its key. */
  readonly folder: string;
  readonly heads: readonly (readonly Piece[])[];
}

/** Result for one prompt head; results are in the order of the heads. */
export type PrefillResult =
  | { readonly kind: "made"; readonly key: string; readonly tokens: number; readonly bytes: number }
  /** The prompt head leaves no space for an answer. */
  | { readonly kind: "tooLong"; readonly tokens: number }
  /**
   * No worker accepts the state: the engine stores the state of this kind of model in an unsupported form, or the state
   * is too large.
   */
  | { readonly kind: "unread"; readonly reason: string };

export async function* prefill(order: PrefillOrder): AsyncGenerator<PrefillResult, Result<undefined>> {
  const { contextTokens, model, folder } = order;
  const said: string[] = [];
  const engine = await loadEngine(order.engine, (line) => said.push(line), [STATE_FORM]);
  if (!engine.ok) return refuse(`states are computed in the form for ${STATE_FORM}: ${engine.reason}`);
  const decoder = await Decoder.open(engine.value, order.weights, { contextTokens, threads: 1 });
  if (decoder === undefined)
    return refuse(`the engine does not take the weights: ${said.at(-1) ?? "it does not say why"}`);
  for (const head of order.heads) {
    const tokens = decoder.tokenize(head);
    if (tokens.length + LEAST_ROOM > contextTokens) {
      yield { kind: "tooLong", tokens: tokens.length };
      continue;
    }
    const [draft, key] = [join(folder, ".draft"), computeStateKey(model, tokens)];
    await decoder.write(tokens, draft);
    const bytes = statSync(draft).size;
    const read = readTokens(draft, bytes, contextTokens);
    if (!read.ok || computeStateKey(model, read.value) !== key) {
      yield { kind: "unread", reason: read.ok ? "it holds other tokens" : read.reason };
      rmSync(draft);
      continue;
    }
    renameSync(draft, join(folder, key));
    yield { kind: "made", key, tokens: tokens.length, bytes };
  }
  return { ok: true, value: undefined };
}
