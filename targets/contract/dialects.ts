/** Protocols of providers: OpenAI's chat completions, which many other providers support, and Ollama's own protocol. */
export const DIALECTS = ["openai", "ollama"] as const;
export type RemoteDialect = (typeof DIALECTS)[number];

export function isDialect(word: string): word is RemoteDialect {
  return DIALECTS.some((dialect) => dialect === word);
}
