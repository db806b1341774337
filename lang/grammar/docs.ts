import { makeSpan, type Span } from "../text/index.ts";
import type { ScanResult } from "./scanner.ts";

/** Returns the doc lines before each token, joined and without their slashes. The key is the offset of the token. */
export function collectDocs({ source, tokens, docs }: ScanResult): Map<number, string> {
  const joined = new Map<number, string>();
  let token = 0;
  for (const { start, end } of docs) {
    while (token < tokens.count && tokens.start(token) < start) token++;
    if (token === tokens.count) break;
    const owner = tokens.start(token);
    const line = source.text.slice(start + 3, end).trim();
    const before = joined.get(owner);
    joined.set(owner, before === undefined ? line : `${before}\n${line}`);
  }
  return joined;
}

/**
 * Returns the stray doc lines. A doc line is stray if the parser did not use it as the documentation of the element that begins at
 * the next token. `taken` has the offsets of the tokens whose doc lines were used.
 */
export function findStrayDocs({ source, tokens, docs }: ScanResult, taken: ReadonlySet<number>): Span[] {
  let token = 0;
  return docs.flatMap(({ start, end }) => {
    while (token < tokens.count && tokens.start(token) < start) token++;
    return token < tokens.count && taken.has(tokens.start(token)) ? [] : [makeSpan(source, start, end)];
  });
}
