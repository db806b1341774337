// Describes the part of the conversation that the model sees, as the loop reports it; no decision depends on it.
import { ConversationStore, type Window } from "../../../lib/wire/generated/conversations.ts";
import { excerpt } from "../result.ts";
import { type CommandParts, type Lines, NO_ARCHIVE } from "./parts.ts";

export async function showContext({ archive }: CommandParts): Promise<Lines> {
  if (archive === undefined) return ["no model answers in this session"];
  const told = await archive.ask(ConversationStore.methods.window, {});
  if (!told.ok) return [told.reason];
  const recalling = await archive.ask(ConversationStore.methods.recalling, {});
  const isOff = recalling.ok && !recalling.value.isOn;
  return [...renderWindow(told.value.window), ...(isOff ? [RECALL_IS_OFF] : [])];
}

const RECALL_IS_OFF = "recall is off: nothing that was evicted is shown to the model again";
const RECALL_IS_ON =
  "recall is on: what was evicted from the model's context is found by a request's words and shown again";

/** Turns recall of evicted sayings on or off. The store keeps the setting, and the loop cannot change it. */
export async function recall({ gate, archive }: CommandParts, argument: string): Promise<Lines> {
  if (archive === undefined) return [NO_ARCHIVE];
  if (argument === "on" || argument === "off") {
    const isOn = argument === "on";
    const set = await archive.ask(ConversationStore.methods.setRecall, { isOn });
    if (!set.ok) return [set.reason];
    gate.note("recall", argument);
    return [isOn ? RECALL_IS_ON : RECALL_IS_OFF];
  }
  if (argument !== "") return ["/recall takes on or off, or nothing"];
  const told = await archive.ask(ConversationStore.methods.recalling, {});
  return told.ok ? [told.value.isOn ? RECALL_IS_ON : RECALL_IS_OFF] : [told.reason];
}

function renderWindow(window: Window): Lines {
  const { usedTokens, budgetTokens, contextTokens, isEstimated, systemTokens, toolTokens } = window;
  const counted = isEstimated ? "counted as four characters a token" : "by the model's own tokenizer";
  return [
    `the agent says: ${usedTokens} of ${budgetTokens} tokens are used, of a context of ${contextTokens}; ${counted}`,
    `system prompt ${systemTokens}, tools ${toolTokens}, conversation ${Math.max(0, usedTokens - systemTokens - toolTokens)}`,
    ...describeEvicted(window),
  ];
}

function describeEvicted(window: Window): Lines {
  const { firstKept, summarisedThrough, cutSayings, lostSayings, recalled, recalledTokens, recalledByMeaning } = window;
  const shown = recalled.map((sequence) =>
    recalledByMeaning.includes(sequence) ? `${sequence} by meaning` : sequence,
  );
  const evicted =
    firstKept > 1n
      ? [`shown as it was said from saying ${firstKept} on; /search finds what is older`]
      : ["all of it is shown as it was said"];
  return [
    ...evicted,
    ...(summarisedThrough > 0n ? [`a summary by the model stands for what was said up to ${summarisedThrough}`] : []),
    ...(recalled.length > 0
      ? [`recalled for the newest request: saying ${excerpt(shown.join(", "))}; ${recalledTokens} tokens`]
      : []),
    ...(cutSayings > 0 ? [`${cutSayings} messages are shown in part`] : []),
    ...(lostSayings > 0n ? [`${lostSayings} sayings are gone: they were not kept`] : []),
  ];
}
