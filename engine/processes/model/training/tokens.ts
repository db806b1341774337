// Renders conversations as the tokens that the worker reads and its model writes.

import type { ChatMessage } from "../../../lib/wire/generated/capos.ts";
import { SYSTEM } from "../evaluation/asking.ts";
import { renderChat } from "../local/chat.ts";
import type { Decoder } from "../local/decoder.ts";
import type { Group } from "./groups.ts";

type Tokens = readonly number[];

interface GroupTokens {
  readonly prefix: Tokens;
  /** Token lists of each conversation, alternately given and to be learnt. */
  readonly conversations: readonly (readonly Tokens[])[];
}

type Vocabulary = Pick<Decoder, "tokenize">;

/** End of a message, as the chat format writes it. */
const END = [{ text: "<|im_end|>", isMark: true }];

export function tokenizeGroup({ tools, conversations }: Group, vocabulary: Vocabulary): GroupTokens {
  const tokenizeMessages = (messages: readonly ChatMessage[]): Tokens =>
    vocabulary.tokenize(renderChat([SYSTEM, ...messages], tools));
  const opening = vocabulary.tokenize(renderChat([], []));
  const whole = tokenizeMessages([]);
  const prefix = whole.slice(0, whole.length - opening.length);
  return {
    prefix,
    conversations: conversations.map((messages) => splitParts(messages, prefix.length, tokenizeMessages, vocabulary)),
  };
}

function splitParts(
  messages: readonly ChatMessage[],
  shared: number,
  written: (messages: readonly ChatMessage[]) => Tokens,
  vocabulary: Vocabulary,
): readonly Tokens[] {
  const parts: Tokens[] = [];
  let at = shared;
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== "assistant") continue;
    const asked = written(messages.slice(0, index));
    const answer = [...vocabulary.tokenize([{ text: content, isMark: false }]), ...vocabulary.tokenize(END)];
    parts.push(asked.slice(at), answer);
    at = asked.length + answer.length;
  }
  return parts;
}
