// A model is asked the cases of a set as the worker asks it: its chat, its grammar, its engine, on one thread.

import { piecesOf } from "../local/answers.ts";
import { chatOf } from "../local/chat.ts";
import type { Decoder } from "../local/decoder.ts";
import { grammarOf } from "../local/grammar/answers.ts";
import { SYSTEM } from "./asking.ts";
import { type Case, casesOf, type SetName } from "./cases.ts";
import { type Answer, ERRORS, interval, judged } from "./judging.ts";

export interface Share {
  readonly right: number;
  /** With 95 % confidence. */
  readonly low: number;
  readonly high: number;
}

export interface Measured {
  readonly set: SetName;
  readonly cases: number;
  readonly name: Share;
  readonly full: Share;
  /** Of one case, its table of tools included. */
  readonly cpuSeconds: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** As `engine/loop` asks; no right answer of these sets has half as many. */
const MOST_TOKENS = 160;

/** `every`: only each so many'th case. `tell` is given each case with what was answered. */
export async function measured(
  decoder: Decoder,
  set: SetName,
  every: number,
  tell: (asked: Case, answer: Answer, error: string | undefined) => void,
): Promise<Measured> {
  const cases = casesOf(set).filter((_, index) => index % every === 0);
  const began = process.cpuUsage();
  let [named, full] = [0, 0];
  const errors = new Map<string, number>();
  for (const asked of cases) {
    const answer = await answerTo(decoder, asked);
    const verdict = judged(asked.wanted, answer);
    named += verdict.isNamed ? 1 : 0;
    full += verdict.isFull ? 1 : 0;
    if (verdict.error !== undefined) errors.set(verdict.error, (errors.get(verdict.error) ?? 0) + 1);
    tell(asked, answer, verdict.error);
  }
  const { user, system } = process.cpuUsage(began);
  return {
    set,
    cases: cases.length,
    name: shareOf(named, cases.length),
    full: shareOf(full, cases.length),
    cpuSeconds: (user + system) / 1e6 / cases.length,
    errors: Object.fromEntries(ERRORS.flatMap((error) => (errors.has(error) ? [[error, errors.get(error) ?? 0]] : []))),
  };
}

function shareOf(right: number, cases: number): Share {
  const [low, high] = interval(right, cases);
  return { right: right / cases, low, high };
}

async function answerTo(decoder: Decoder, { tools, messages }: Case): Promise<Answer> {
  const prompt = decoder.tokensOf(chatOf([SYSTEM, ...messages], tools));
  const asked = { prompt, mostTokens: MOST_TOKENS, temperature: 0, grammar: grammarOf(tools) };
  const pieces = piecesOf(decoder.answer(asked, new AbortController().signal), true);
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { text: next.value.text, calls: next.value.calls };
  }
}
