// Shows what is known about a name: under the pointer, or at the cursor after Ctrl+K Ctrl+I, as in VS Code. The key Escape hides the text.

import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";
import type { Hover } from "../protocol.ts";
import { showMarkdown } from "./markdown.ts";

/**
 * Returns the documentation for an offset of the shown file. Returns `undefined` if no name is there, or if the file
 * has changed meanwhile.
 */
export type AskHover = (offset: number) => Promise<Hover | undefined>;

/** The tooltip disappears if the file changes, because its text may then be wrong. */
const HIDDEN_BY_CHANGES = { hideOnChange: true };

const setShown = StateEffect.define<Tooltip | null>();

const shownAtCursor = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects, docChanged, selection }) => {
    const set = effects.find((effect) => effect.is(setShown));
    if (set !== undefined) return set.value;
    return docChanged || selection !== undefined ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

export function createHovers(ask: AskHover): Extension {
  const showAtCursor = (view: EditorView): boolean => {
    const { state } = view;
    const offset = state.selection.main.head;
    ask(offset).then((hover) => {
      const isMoved = view.state.doc !== state.doc || view.state.selection.main.head !== offset;
      if (hover !== undefined && !isMoved)
        view.dispatch({ effects: setShown.of(createTooltip(hover, offset, "status")) });
    });
    return true;
  };
  const hide = (view: EditorView): boolean => {
    if (view.state.field(shownAtCursor) === null) return false;
    view.dispatch({ effects: setShown.of(null) });
    return true;
  };
  const keys = [
    { key: "Mod-k Mod-i", run: showAtCursor },
    { key: "Escape", run: hide },
  ];
  const underPointer = hoverTooltip(async (_, offset) => {
    const hover = await ask(offset);
    return hover === undefined ? null : createTooltip(hover, offset, "tooltip");
  }, HIDDEN_BY_CHANGES);
  return [shownAtCursor, keymap.of(keys), underPointer];
}

/** Creates a tooltip with the text. If `role` is `status`, a screen reader reads the tooltip as soon as it appears. */
function createTooltip({ range, text }: Hover, offset: number, role: "status" | "tooltip"): Tooltip {
  const create = () => {
    const dom = showMarkdown(text);
    dom.setAttribute("role", role);
    return { dom };
  };
  return { pos: range?.from ?? offset, end: range?.to ?? offset, above: true, create };
}
