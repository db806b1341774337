// The part of a conversation in a request. The system prompt and the table of tools are always complete; of the rest the oldest is
// evicted first, a turn at a time. The eviction is never silent: evicted sayings are returned to the caller.

import { MESSAGE_TOKENS, renderMessageText } from "../../lib/context/index.ts";
import type { ChatMessage } from "../../lib/wire/generated/capos.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { cutText } from "./history.ts";
import {
  convertToMessage,
  convertToMessages,
  createRecalledMessage,
  createSummaryMessage,
  createSystemMessage,
  SYSTEM_PROMPT,
} from "./messages.ts";
import type { Tokens } from "./tokens.ts";

/** Maximum bytes of a request's messages: the frame of the request also needs room for the tools and for escapes. */
export const MAX_REQUEST_BYTES: number = 256 * 1024;
/** Share of the budget that remains in use after an eviction. The rest stays free, so that the next saying does not cause an eviction. */
const KEPT_SHARE = 0.75;
/** Share of a request that recalled sayings may use. This share is smaller than the space that an eviction frees. */
const RECALL_SHARE = 0.2;
/** Maximum UTF-16 units of a text that is not cut further. */
const LEAST_LENGTH = 160;

export interface Limits {
  /** Tokens for the messages: the budget without the table of tools. */
  readonly tokens: number;
  readonly bytes: number;
}

interface Content {
  /** Summary of the evicted sayings; `undefined` if there is none. */
  readonly summary: Saying | undefined;
  /** Sayings in order, beginning with a person's words. */
  readonly sayings: readonly Saying[];
  /** Evicted sayings that match the request, best first. Recalled sayings are shown as far as there is space, and evict nothing. */
  readonly recalled?: readonly Saying[];
}

/** Returns the share of a request's limits that recalled sayings may use. */
export function recallShareOf({ tokens, bytes }: Limits): Limits {
  return { tokens: Math.floor(tokens * RECALL_SHARE), bytes: Math.floor(bytes * RECALL_SHARE) };
}

/** Returns the limits for everything except recalled sayings. */
export function subtractRecall(limits: Limits): Limits {
  const share = recallShareOf(limits);
  return { tokens: limits.tokens - share.tokens, bytes: limits.bytes - share.bytes };
}

interface Size {
  readonly tokens: number;
  readonly bytes: number;
}

const NOTHING: Size = { tokens: 0, bytes: 0 };

/** Returns the oldest sayings that must be evicted, in order, possibly with parts of the current turn. */
export async function findEvicted(content: Content, limits: Limits, tokens: Tokens): Promise<readonly Saying[]> {
  const head = buildHead(content);
  const measured = await measureSizes([...head, ...content.sayings.map(convertToMessage)], tokens);
  const sizes = measured.slice(head.length);
  const all = measured.reduce(sum, NOTHING);
  if (isWithin(all, limits)) return [];
  const wanted = { tokens: limits.tokens * KEPT_SHARE, bytes: limits.bytes * KEPT_SHARE };
  return chooseEvicted(content.sayings, sizes, all, wanted);
}

/**
 * Returns the sayings to evict: first whole turns, then the oldest answers of the turn in progress, with their calls.
 * The person's words in the turn in progress, and its newest answer, are never evicted.
 */
function chooseEvicted(
  sayings: readonly Saying[],
  sizes: readonly Size[],
  all: Size,
  wanted: Limits,
): readonly Saying[] {
  const lastTurn = sayings.findLastIndex(({ role }) => role === "user");
  const starts = sayings.flatMap(({ role }, index) => (role === "tool" ? [] : [index]));
  let left = all;
  const gone = new Set<number>();
  const drop = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      gone.add(at);
      left = sum(left, negateSize(sizes[at]));
    }
  };
  const turns = starts.filter((index) => sayings[index]?.role === "user" && index <= lastTurn);
  for (const [number, start] of turns.entries()) {
    const next = turns[number + 1];
    if (isWithin(left, wanted) || next === undefined) break;
    drop(number === 0 ? 0 : start, next);
  }
  const answers = starts.filter((index) => index > lastTurn);
  for (const [number, start] of answers.entries()) {
    const next = answers[number + 1];
    if (isWithin(left, wanted) || next === undefined) break;
    drop(start, next);
  }
  return sayings.filter((_, index) => gone.has(index));
}

export interface AssembledPrompt {
  readonly messages: readonly ChatMessage[];
  /** Number of messages of the request whose text or arguments were shortened, so that the request fits. */
  readonly cut: number;
  readonly tokens: number;
  /** Sequence numbers of the recalled sayings, in order. */
  readonly recalled: readonly bigint[];
  readonly recalledTokens: number;
}

/** Returns the messages of a request, or `undefined` if even the shortest do not fit. The system prompt is never cut. */
export async function assembleMessages(
  content: Content,
  limits: Limits,
  tokens: Tokens,
): Promise<AssembledPrompt | undefined> {
  let shown = [...buildHead(content), ...convertToMessages(content.sayings)];
  const cut = new Set<number>();
  for (;;) {
    const sizes = await measureSizes(shown, tokens);
    const all = sizes.reduce(sum, NOTHING);
    if (isWithin(all, limits))
      return { cut: cut.size, ...(await addRecalled(content, { messages: shown, all }, limits, tokens)) };
    const largest = sizes.reduce((best, size, at) => (at > 1 && size.bytes > (sizes[best]?.bytes ?? 0) ? at : best), 1);
    const one = shown[largest];
    const shorter = one && shortenMessage(one);
    if (shorter === undefined) return undefined;
    cut.add(largest);
    shown = shown.with(largest, shorter);
  }
}

/** The messages of a request without recalled sayings, and the total size of these messages. */
interface Chosen {
  readonly messages: readonly ChatMessage[];
  readonly all: Size;
}

/**
 * Inserts recalled sayings before the newest message of the person: as many as fit, in the order in which they were
 * said.
 */
async function addRecalled(
  { recalled = [] }: Content,
  { messages, all }: Chosen,
  limits: Limits,
  tokens: Tokens,
): Promise<Omit<AssembledPrompt, "cut">> {
  const sizes = await measureSizes(recalled.map(createRecalledMessage), tokens);
  const share = recallShareOf(limits);
  let taken = NOTHING;
  const shown = recalled.filter((_, index) => {
    const more = sum(taken, sizes[index] ?? NOTHING);
    if (!isWithin(more, share) || !isWithin(sum(all, more), limits)) return false;
    taken = more;
    return true;
  });
  const inOrder = shown.toSorted((a, b) => Number(a.sequence - b.sequence));
  const last = messages.findLastIndex(({ role }) => role === "user");
  return {
    messages: messages.toSpliced(Math.max(1, last), 0, ...inOrder.map(createRecalledMessage)),
    tokens: all.tokens + taken.tokens,
    recalled: inOrder.map(({ sequence }) => sequence),
    recalledTokens: taken.tokens,
  };
}

/**
 * Returns a shorter message: its text is cut to half, or a note replaces its longest arguments. Returns `undefined` if
 * the message is already short.
 */
function shortenMessage(one: ChatMessage): ChatMessage | undefined {
  const longest = Math.max(0, ...one.toolCalls.map((call) => call.arguments.length));
  if (longest > one.content.length && longest > LEAST_LENGTH) {
    const toolCalls = one.toolCalls.map((call) =>
      call.arguments.length === longest
        ? { ...call, arguments: JSON.stringify({ cut: `${longest} characters` }) }
        : call,
    );
    return { ...one, toolCalls };
  }
  if (one.content.length <= LEAST_LENGTH) return undefined;
  const content = cutText(
    one.content.replace(/ \[cut: \d+ more characters\]$/, ""),
    Math.floor(one.content.length / 2) - 40,
  );
  return { ...one, content };
}

function buildHead({ summary }: Content): readonly ChatMessage[] {
  return [createSystemMessage(SYSTEM_PROMPT), ...(summary === undefined ? [] : [createSummaryMessage(summary)])];
}

export async function measureSizes(messages: readonly ChatMessage[], tokens: Tokens): Promise<readonly Size[]> {
  const texts = messages.map(renderMessageText);
  const counts = await tokens.count(texts);
  return texts.map((text, index) => ({
    tokens: (counts[index] ?? 0) + MESSAGE_TOKENS,
    bytes: Buffer.byteLength(text),
  }));
}

function isWithin(size: Size, limits: Limits): boolean {
  return size.tokens <= limits.tokens && size.bytes <= limits.bytes;
}

function sum(a: Size, b: Size): Size {
  return { tokens: a.tokens + b.tokens, bytes: a.bytes + b.bytes };
}

function negateSize(size: Size | undefined): Size {
  return { tokens: -(size?.tokens ?? 0), bytes: -(size?.bytes ?? 0) };
}
