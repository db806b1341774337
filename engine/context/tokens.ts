/** Where a model brings no tokenizer: four characters count as one token, as is usual for English. */
const CHARACTERS_PER_TOKEN = 4;

/** Characters are UTF-16 code units; what is begun is counted as a whole token. */
export function estimatedTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
