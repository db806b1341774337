// Limits how much of one turn is recorded and shown. Otherwise a loop could hide earlier output on the screen, or fill
// the log. A full log would stop every call. A loop that proposes without end is refused, and leaves no further
// records.

import { recordEvent } from "./recording.ts";
import type { Turn } from "./turn.ts";

/**
 * Approximate maximum of record bytes that the loop may cause in one turn: about the size of 16 answers of 4,000 tokens
 * each.
 */
export const MAX_RECORDED_BYTES = 256 * 1024;
/** Bytes of one record, not counting arguments and messages. */
const RECORD_BYTES = 512;
/** Bytes of one message in the record of an answer: role, length and digest. */
export const MESSAGE_BYTES = 80;

type Recorder = Parameters<typeof recordEvent>[0];

/**
 * Counts a proposal of the turn; returns why it is refused if the turn had `most` proposals before it, otherwise
 * `undefined`.
 */
export function refuseTooMany(recorder: Recorder, turn: Turn, most: number): string | undefined {
  turn.proposed += 1;
  const words = `more than ${most} calls were proposed in one turn`;
  return turn.proposed > most ? noteFlood(recorder, turn, words) : undefined;
}

/**
 * Counts a record of the turn with this many further bytes. Returns why the record exceeds the limit of the turn, or
 * `undefined` if it does not.
 */
export function refuseTooMuch(recorder: Recorder, turn: Turn, bytes: number): string | undefined {
  turn.recorded += RECORD_BYTES + bytes;
  const words = `more than ${MAX_RECORDED_BYTES / 1024} KiB would be on record of one turn`;
  return turn.recorded > MAX_RECORDED_BYTES ? noteFlood(recorder, turn, words) : undefined;
}

/** Records a flood of proposals, once in each turn. */
function noteFlood(recorder: Recorder, turn: Turn, words: string): string {
  if (!turn.isFloodNoted) void recordEvent(recorder, "flooded", words);
  turn.isFloodNoted = true;
  return words;
}
