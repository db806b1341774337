// The editor: CodeMirror, in a separate root. There, its styles are sheets made by a program, which a content policy without inline
// styles allows.

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Finding, Range } from "../protocol.ts";
import { colouredWords } from "./highlight.ts";

export interface Editor {
  readonly text: () => string;
  /** Replaces the text. Like `change`, this is one step of the undo history. */
  readonly replace: (text: string) => void;
  readonly change: (at: Range, insert: string) => void;
  /** Moves the cursor there and scrolls to the place. */
  readonly show: (at: Range) => void;
  readonly mark: (findings: readonly Finding[]) => void;
}

export function openEditor(place: HTMLElement, text: string, onChange: () => void, onFormat: () => void): Editor {
  const root = place.attachShadow({ mode: "open" });
  const changed = EditorView.updateListener.of((update) => update.docChanged && onChange());
  const format = {
    key: "Shift-Alt-f",
    run: () => {
      onFormat();
      return true;
    },
  };
  const state = EditorState.create({
    doc: text,
    extensions: [
      ...[lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), highlightActiveLine()],
      keymap.of([format, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "The page, system.cap", spellcheck: "false" }),
      ...[colouredWords, THEME, changed],
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  const within = (offset: number): number => Math.min(offset, view.state.doc.length);
  const change = ({ from, to }: Range, insert: string): void => {
    const annotations = isolateHistory.of("full");
    view.dispatch({ changes: { from: within(from), to: within(to), insert }, annotations });
  };
  return {
    text: () => view.state.doc.toString(),
    replace: (next) => change({ from: 0, to: view.state.doc.length }, next),
    change,
    show: ({ from, to }) => {
      view.dispatch({ selection: { anchor: within(from), head: within(to) }, scrollIntoView: true });
      view.focus();
    },
    mark: (findings) => {
      const here = findings.flatMap((finding) => diagnosticOf(finding, within));
      view.dispatch(setDiagnostics(view.state, here));
    },
  };
}

function diagnosticOf({ range, severity, code, message, help }: Finding, within: (at: number) => number): Diagnostic[] {
  if (range === undefined) return [];
  const words = help === undefined ? message : `${message}\n${help}`;
  return [{ from: within(range.from), to: within(range.to), severity, source: code, message: words }];
}

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--paper)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--chosen)",
  },
  ".cm-tooltip, .cm-panels": { color: "var(--ink)", backgroundColor: "var(--raised)", borderColor: "var(--edge)" },
  ".cm-panel.cm-panel-lint ul [aria-selected]": { color: "var(--ink)", backgroundColor: "var(--chosen)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "40rem" },
  ".cap-comment": { color: "var(--faint)", fontStyle: "italic" },
  ".cap-text": { color: "var(--text)" },
  ".cap-word": { color: "var(--word)" },
  ".cap-gate": { fontWeight: "600" },
  ".cap-auto": { color: "var(--auto)" },
  ".cap-consent": { color: "var(--consent)" },
  ".cap-stepUp": { color: "var(--stepUp)" },
  ".cap-forbidden": { color: "var(--forbidden)" },
});
