// What of the conversation the model is shown, as the loop says: nothing is decided by it.
import { ConversationStore, type Window } from "../../wire/generated/conversations.ts";
import type { CommandParts, Lines } from "./parts.ts";

export async function context({ archive }: CommandParts): Promise<Lines> {
  if (archive === undefined) return ["no model answers in this session"];
  const told = await archive.ask(ConversationStore.methods.window, {});
  return told.ok ? windowLines(told.value.window) : [told.reason];
}

function windowLines(window: Window): Lines {
  const { usedTokens, budgetTokens, contextTokens, isEstimated, systemTokens, toolTokens } = window;
  const counted = isEstimated ? "counted as four characters a token" : "by the model's own tokenizer";
  return [
    `the agent says: ${usedTokens} of ${budgetTokens} tokens are used, of a context of ${contextTokens}; ${counted}`,
    `system prompt ${systemTokens}, tools ${toolTokens}, conversation ${Math.max(0, usedTokens - systemTokens - toolTokens)}`,
    ...evictedWords(window),
  ];
}

function evictedWords({ firstKept, summarisedThrough, cutSayings, lostSayings }: Window): Lines {
  const evicted =
    firstKept > 1n
      ? [`shown as it was said from saying ${firstKept} on; /search finds what is older`]
      : ["all of it is shown as it was said"];
  return [
    ...evicted,
    ...(summarisedThrough > 0n ? [`a summary by the model stands for what was said up to ${summarisedThrough}`] : []),
    ...(cutSayings > 0 ? [`${cutSayings} messages are shown in part`] : []),
    ...(lostSayings > 0n ? [`${lostSayings} sayings are gone: they were not kept`] : []),
  ];
}
