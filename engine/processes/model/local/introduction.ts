import type { ModelInfo } from "../../../lib/wire/generated/capos.ts";
import type { Card } from "../../../lib/wire/generated/manifest.ts";

/** The id of a model, the size of its context, and whether it can call tools. */
export interface ModelDescription {
  /**
   * The model's id in the manifest; the gate gets the same id, so the audit and the model report one id.
   */
  readonly id: string;
  readonly contextTokens: number;
  readonly callsTools: boolean;
}

/**
 * Maximum length of one answer in tokens. A small model that continues beyond this length no longer produces sensible
 * text.
 */
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
