// Computes the cost of an answer by its model's price on the page: exactly, in millionths of a currency, rounded up.

import type { Backend } from "../../../lib/wire/generated/policy.ts";

/**
 * Price of a million tokens. A price without a currency means that the model is free, because it runs in the machine.
 */
export type Price = Pick<Backend, "currency" | "inputMicros" | "outputMicros">;

export const FREE: Price = { currency: "", inputMicros: 0n, outputMicros: 0n };

const MILLION = 1_000_000n;

/**
 * Returns the cost of an answer. `output` is the number of the answer's own tokens. If `output` is 0, the number is unknown
 * and the higher price applies to all tokens.
 */
export function computeAnswerCost(price: Price, tokens: bigint, output: bigint): bigint {
  const { inputMicros, outputMicros } = price;
  if (output === 0n || output > tokens) return roundUp(tokens * pickHigherPrice(price));
  return roundUp((tokens - output) * inputMicros + output * outputMicros);
}

/** Returns how many tokens of any kind cost at most this amount, or `undefined` if all are free. */
export function computeAffordableTokens(price: Price, micros: bigint): bigint | undefined {
  const most = pickHigherPrice(price);
  return most === 0n ? undefined : (micros * MILLION) / most;
}

function pickHigherPrice({ inputMicros, outputMicros }: Price): bigint {
  return inputMicros > outputMicros ? inputMicros : outputMicros;
}

function roundUp(millionths: bigint): bigint {
  return (millionths + MILLION - 1n) / MILLION;
}
