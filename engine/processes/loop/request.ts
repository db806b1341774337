// Builds a request that fits the model. If the sayings do not fit, the oldest ones are evicted and summarised before the request is built.

import { renderToolText } from "../../lib/context/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type ChatMessage, LanguageModel, type ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import type { Connection } from "../../lib/wire/index.ts";
import { MAX_TOKENS } from "./inference.ts";
import { SYSTEM_PROMPT } from "./messages.ts";
import type { Offer, TurnParts } from "./parts.ts";
import { computeRoom, type Room, type Tokens } from "./tokens.ts";
import type { Transcript } from "./transcript.ts";
import { type AssembledPrompt, type Limits, MAX_REQUEST_BYTES } from "./window.ts";

interface Request {
  /** Messages of the request; none if the offer is for another backend than the one whose model counted the tokens. */
  readonly messages: readonly ChatMessage[];
  /** The newest offer of the gate. A request for a summary uses up an offer, so another offer is needed after the summary. */
  readonly offer: Offer;
}

/** The model that answers and counts tokens, with its conversation. */
export interface ModelClient extends Pick<TurnParts, "transcript"> {
  readonly model: Connection;
  readonly tokens: Tokens;
}

/**
 * Returns the request for the model's answer. `again` requests another offer from the gate. Fails if the model has no space even
 * for the turn in progress.
 */
export async function requestFor(
  { model, transcript, tokens }: ModelClient,
  first: Offer,
  again: () => Promise<Result<Offer>>,
  signal: AbortSignal,
): Promise<Result<Request>> {
  // This request has no time limit, because a model that is still loading answers late, above all on a busy machine.
  // Init ends a model that hangs, and a person can end the turn.
  const info = await model.call(LanguageModel.methods.info, {}, { signal });
  if (!info.ok) return refuse(`the model stopped: ${info.reason}`);
  const room = computeRoom(info.value.info, MAX_TOKENS);
  const measured = await measureTools(first.tools, room, tokens);
  const evicted = await transcript.findExcess(measured.limits, tokens);
  if (evicted.length > 0) {
    await transcript.evict(evicted, { model, limits: measured.whole, tokens, nonce: first.nonce, signal });
  }
  const offered = evicted.length === 0 ? accept(first) : await again();
  if (!offered.ok) return offered;
  const offer = offered.value;
  // The gate now selects another model with a different context; the earlier one must not receive any more text.
  if (offer.backend !== first.backend) return accept({ messages: [], offer });
  await transcript.recall(measured.limits);
  const made = await transcript.assemble(measured.limits, tokens);
  if (made === undefined) return refuse(`the model's ${room.contextTokens} tokens have no room for this turn`);
  reportShown(transcript, { room, tokens, ...measured, made }, await countSystemTokens(tokens));
  return accept({ messages: made.messages, offer });
}

interface Measured {
  readonly toolTokens: number;
  /** Limits for the messages of a request with tools. */
  readonly limits: Limits;
  /** Limits for the messages of a request without tools. */
  readonly whole: Limits;
}

async function measureTools(tools: readonly ToolDescriptor[], room: Room, tokens: Tokens): Promise<Measured> {
  const counts = await tokens.count(tools.map(renderToolText));
  const toolTokens = counts.reduce((sum, count) => sum + count, 0);
  const whole = { tokens: room.budgetTokens, bytes: MAX_REQUEST_BYTES };
  return { toolTokens, whole, limits: { ...whole, tokens: Math.max(0, room.budgetTokens - toolTokens) } };
}

async function countSystemTokens(tokens: Tokens): Promise<number> {
  const [count = 0] = await tokens.count([SYSTEM_PROMPT]);
  return count;
}

interface Shown extends Measured {
  readonly room: Room;
  readonly tokens: Tokens;
  readonly made: AssembledPrompt;
}

function reportShown(transcript: Transcript, { room, tokens, toolTokens, made }: Shown, system: number): void {
  transcript.history.reportWindow({
    ...room,
    usedTokens: made.tokens + toolTokens,
    isEstimated: tokens.isEstimated,
    cutSayings: made.cut,
    recalled: made.recalled,
    recalledTokens: made.recalledTokens,
    recalledByMeaning: transcript.filterFoundByMeaning(made.recalled),
    toolTokens,
    systemTokens: system,
    ...transcript.account,
  });
}
