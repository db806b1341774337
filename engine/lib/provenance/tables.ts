// Statements of policy tables on sources: whether a rule asks for them, and which fields only their owner fills.

import { type IndexedTables, asksForSources as isAsking, listLines } from "../policy/index.ts";
import type { SourceIndex } from "./source-index.ts";
import type { StrengthTest } from "./view.ts";

/** Returns whether some rule asks for the sources of an argument. Without one, no words of a conversation have to be kept. */
export function asksForSources({ decisions }: Pick<IndexedTables, "decisions">): boolean {
  return decisions.some((list) => listLines(list).some(isAsking));
}

/** Returns what tells strong fields of results from others. */
export function createStrengthTest({ tools }: IndexedTables): StrengthTest {
  const strong = new Map(tools.map(({ name, strong: fields }) => [name, new Set(fields)]));
  return (tool, field) => strong.get(tool)?.has(field) === true;
}

/** Adds the texts whose words are the page's. */
export function addPageTexts(index: SourceIndex, { pageTexts }: Pick<IndexedTables, "pageTexts">): void {
  for (const text of pageTexts) index.add({ which: "page" }, text);
}
