import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  startCompletion,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import type { CompletionWord, Completion as Words } from "../protocol.ts";
import { showMarkdown } from "./markdown.ts";

/** Returns the completions at an offset of the shown file, or `undefined` if the file has changed meanwhile. */
type AskWords = (offset: number) => Promise<Words | undefined>;

/** Returns the words that fit at the cursor: while a word or a path is typed, after a dot, or if the person asks. */
export function createCompletion(ask: AskWords): (context: CompletionContext) => Promise<CompletionResult | null> {
  return async (context) => {
    if (!context.explicit && context.matchBefore(/[\w."/]$/) === null) return null;
    const words = await ask(context.pos);
    if (words === undefined || words.items.length === 0) return null;
    const { from, to, items, isIncomplete } = words;
    // The language server sorts its words, names before keywords. The second argument keeps this order in the list.
    const options = items.map((item, index) => createOption(item, -index));
    return { from, to, options, ...(isIncomplete ? {} : { validFor: /^[\w-]*$/ }) };
  };
}

function createOption({ label, text, type, detail, documentation }: CompletionWord, order: number): Completion {
  return {
    label,
    apply: text.endsWith("/") ? openFolder : text,
    type,
    boost: Math.max(order, -99),
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { info: () => showMarkdown(documentation) }),
  };
}

/** Inserts the name of a folder into a path, and shows the files of this folder. */
function openFolder(view: EditorView, { label }: Completion, from: number, to: number): void {
  view.dispatch(insertCompletionText(view.state, label, from, to));
  startCompletion(view);
}
