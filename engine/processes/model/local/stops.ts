// Ends text at stop sequences. Stop sequences are searched only in plain text, because cutting a call would leave an
// incomplete call.

import type { Texts } from "./decoder.ts";
import { CALL_BEGINS } from "./grammar/answers.ts";

export const MOST_STOPS = 16;
/** Maximum length of a stop sequence in UTF-16 units, which is also the maximum length of text that is held back. */
export const MOST_STOP_CHARACTERS = 256;

interface Stopping {
  readonly stops: readonly string[];
  /** Whether a brace begins a call, as the grammar of the answer states. */
  readonly mayCall: boolean;
}

/**
 * Yields the texts up to the first complete stop sequence, even if it spans several pieces. Text that may be the beginning of a
 * stop sequence is held back until this is decided.
 */
export async function* cutAtStop(texts: Texts, { stops, mayCall }: Stopping): Texts {
  let held = "";
  let isBegun = false;
  try {
    for (;;) {
      const next = await texts.next();
      if (next.done === true) {
        if (held !== "") yield held;
        return next.value;
      }
      const waiting = held + next.value;
      if (!isBegun && mayCall && waiting.startsWith(CALL_BEGINS)) {
        yield waiting;
        return yield* texts;
      }
      isBegun ||= waiting !== "";
      const end = endBefore(stops, waiting);
      const told = waiting.slice(0, end ?? waiting.length - countBegunAtEnd(stops, waiting));
      if (told !== "") yield told;
      if (end !== undefined) return "whole";
      held = waiting.slice(told.length);
    }
  } finally {
    await texts.return("stopped");
  }
}

/**
 * Returns the position of the stop sequence that ends first in the text. If several end at the same character, it is
 * that of the longest one. Returns `undefined` if none is complete.
 */
function endBefore(stops: readonly string[], text: string): number | undefined {
  const found = stops
    .map((stop) => ({ at: text.indexOf(stop), length: stop.length }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at + one.length - (other.at + other.length) || one.at - other.at);
  return found[0]?.at;
}

/** Returns the largest number of characters at the end of a text that begin a stop. */
function countBegunAtEnd(stops: readonly string[], text: string): number {
  const begun = stops.map((stop) => {
    let length = Math.min(stop.length - 1, text.length);
    while (length > 0 && !text.endsWith(stop.slice(0, length))) length -= 1;
    return length;
  });
  return Math.max(0, ...begun);
}
