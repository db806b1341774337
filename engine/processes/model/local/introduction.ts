import type { ModelInfo } from "../../../lib/wire/generated/capos.ts";
import type { Card } from "../../../lib/wire/generated/manifest.ts";

/** What the page says of a model. */
export interface ModelDescription {
  /** The manifest's word, as it is to the gate: the audit and the model say the same. */
  readonly id: string;
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

/** Of one answer: a small model that goes on for longer has lost its way. */
const OUTPUT_TOKENS = 1024;

export function buildInfo(card: Card, { id, contextTokens, callsTools }: ModelDescription): ModelInfo {
  return {
    id,
    displayName: card.displayName,
    arch: card.arch,
    contextTokens,
    outputTokens: Math.min(OUTPUT_TOKENS, contextTokens),
    backend: "local-cpu",
    quantisation: card.quantisation,
    supportsTools: callsTools,
  };
}
