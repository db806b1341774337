// Reads what policy tables state about sources: whether a rule asks for them, and which fields only their owner can
// fill.

import { type IndexedTables, asksForSources as isAsking, listLines, type Sources } from "../policy/index.ts";
import { SourceIndex } from "./source-index.ts";
import { type StrengthTest, viewSources } from "./view.ts";

/** Returns whether some rule asks for the source of an argument. Without such a rule, no words of a conversation have to be stored. */
export function asksForSources({ decisions }: Pick<IndexedTables, "decisions">): boolean {
  return decisions.some((list) => listLines(list).some(isAsking));
}

/** Returns a function that tests whether a field of a result is strong. */
export function createStrengthTest({ tools }: IndexedTables): StrengthTest {
  const strong = new Map(tools.map(({ name, strong: fields }) => [name, new Set(fields)]));
  return (tool, field) => strong.get(tool)?.has(field) === true;
}

/** Adds the texts of the page, whose source is the page. */
export function addPageTexts(index: SourceIndex, { pageTexts }: Pick<IndexedTables, "pageTexts">): void {
  for (const text of pageTexts) index.add({ which: "page" }, text);
}

/** Key of an index that answers questions about a page. The key need not be secret, because such an index is never stored. */
const QUESTION_KEY = "0".repeat(32);

/** Returns an index with the page's texts alone, for tests and questions about a page; `undefined` if no rule asks for sources. */
export function createQuestionIndex(tables: IndexedTables): SourceIndex | undefined {
  if (!asksForSources(tables)) return undefined;
  const index = new SourceIndex(QUESTION_KEY);
  addPageTexts(index, tables);
  return index;
}

/** Returns the sources of a conversation that has read nothing yet, or `undefined` if no rule asks for sources. */
export function viewFirstSources(tables: IndexedTables): Sources | undefined {
  const index = createQuestionIndex(tables);
  return index && viewSources(index, createStrengthTest(tables));
}
