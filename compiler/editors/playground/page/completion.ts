import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { CompletionWord, Completion as Words } from "../protocol.ts";
import { showMarkdown } from "./markdown.ts";

/** Returns words for an offset of the shown file, or `undefined` after a change. */
type AskWords = (offset: number) => Promise<Words | undefined>;

/** Returns the words that fit at the cursor: while a word is typed, after a dot, or if the person asks. */
export function createCompletion(ask: AskWords): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    if (!context.explicit && context.matchBefore(/[\w.]$/) === null) return null;
    const words = await ask(context.pos);
    if (words === undefined || words.items.length === 0) return null;
    const { from, items, isIncomplete } = words;
    // The server sorts names before keywords.
    const options = items.map((item, index) => createOption(item, -index));
    return { from, options, ...(isIncomplete ? {} : { validFor: /^[\w-]*$/ }) };
  };
}

function createOption({ label, type, detail, documentation }: CompletionWord, order: number): Completion {
  return {
    label,
    type,
    boost: Math.max(order, -99),
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { info: () => showMarkdown(documentation) }),
  };
}
