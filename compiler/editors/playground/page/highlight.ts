// Colours comments, texts and keywords while a page is typed. This module only draws; the meaning of a page is up to the compiler.

import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { CONTEXTUAL, MODES, RESERVED } from "../../../../lang/grammar/vocabulary.ts";

const TOKEN = /(?<comment>\/\/.*)|(?<text>"(?:[^"\\\n]|\\.)*"?)|(?<word>[A-Za-z_][\w-]*)/g;
const GATES: ReadonlySet<string> = new Set(MODES);
const WORDS: ReadonlySet<string> = new Set([...RESERVED, ...CONTEXTUAL]);

function classOf(groups: Readonly<Record<string, string | undefined>>): string | undefined {
  const { comment, text, word = "" } = groups;
  if (comment !== undefined) return "cap-comment";
  if (text !== undefined) return "cap-text";
  if (GATES.has(word)) return `cap-gate cap-${word}`;
  return WORDS.has(word) ? "cap-word" : undefined;
}

/**
 * Returns the decorations of the visible lines. The visible lines suffice, because no token of the language spans two
 * lines.
 */
function drawn({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    const start = state.doc.lineAt(from).from;
    for (const found of state.doc.sliceString(start, state.doc.lineAt(to).to).matchAll(TOKEN)) {
      const name = classOf(found.groups ?? {});
      const at = start + found.index;
      if (name !== undefined) builder.add(at, at + found[0].length, Decoration.mark({ class: name }));
    }
  }
  return builder.finish();
}

export const colouredWords = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = drawn(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = drawn(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
