import { makeSpan, type Span } from "../text/index.ts";
import type { ScanResult } from "./scanner.ts";

/** Returns a map from the offset of each token with doc lines to these lines, joined and without their slashes. */
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

/** Returns the stray doc lines. A doc line is stray if the next token does not begin an element with a doc comment. */
export function findStrayDocs({ source, tokens, docs }: ScanResult, taken: ReadonlySet<number>): Span[] {
  let token = 0;
  return docs.flatMap(({ start, end }) => {
    while (token < tokens.count && tokens.start(token) < start) token++;
    return token < tokens.count && taken.has(tokens.start(token)) ? [] : [makeSpan(source, start, end)];
  });
}
