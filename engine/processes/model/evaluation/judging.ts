// Judges whether an answer is the expected one, and classifies its error if not.

import { isRecord, type Json, readJson, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { ToolCall } from "../../../lib/wire/generated/capos.ts";
import type { ExpectedAnswer } from "./cases.ts";
import { isPossible } from "./possible.ts";

export interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

export const ERRORS = [
  "called another tool",
  "did not call",
  "called with other arguments",
  "called where words were wanted",
  "left a fact out",
] as const;

interface Judged {
  /** Whether the answer names the right tool, or is text if text was expected. */
  readonly isNamed: boolean;
  /** Whether the answer also has the right arguments, or all facts. */
  readonly isFull: boolean;
  readonly error?: (typeof ERRORS)[number];
}

const RIGHT: Judged = { isNamed: true, isFull: true };

export function judgeAnswer(wanted: ExpectedAnswer, { text, calls: [call] }: Answer): Judged {
  if (wanted.kind === "call" || wanted.kind === "possible") return judgeCall(wanted, call);
  if (call !== undefined) return { isNamed: false, isFull: false, error: "called where words were wanted" };
  if (wanted.kind === "words") return RIGHT;
  const said = text.toLowerCase();
  const isTold = wanted.facts.every((words) => words.some((word) => said.includes(word.toLowerCase())));
  return isTold ? RIGHT : { isNamed: true, isFull: false, error: "left a fact out" };
}

function judgeCall(wanted: Extract<ExpectedAnswer, { name: string }>, call: ToolCall | undefined): Judged {
  if (call === undefined) return { isNamed: false, isFull: false, error: "did not call" };
  if (call.name !== wanted.name) return { isNamed: false, isFull: false, error: "called another tool" };
  const given = readJson(call.arguments);
  return given.ok && isAsWanted(given.value, wanted)
    ? RIGHT
    : { isNamed: true, isFull: false, error: "called with other arguments" };
}

function isAsWanted(given: Json, wanted: Extract<ExpectedAnswer, { name: string }>): boolean {
  if (wanted.kind === "possible") return isRecord(given) && isPossible(given, wanted.options);
  return renderCanonicalJson(given) === renderCanonicalJson(wanted.arguments);
}

/** Returns the 95 % confidence interval of a share (Wilson's interval). */
export function computeInterval(right: number, cases: number): readonly [low: number, high: number] {
  if (cases === 0) return [0, 1];
  const z = 1.959964;
  const share = right / cases;
  const middle = (share + z ** 2 / (2 * cases)) / (1 + z ** 2 / cases);
  const half = (z * Math.sqrt((share * (1 - share)) / cases + z ** 2 / (4 * cases ** 2))) / (1 + z ** 2 / cases);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
