// Creates the editor: CodeMirror, in a separate shadow root. In a shadow root, CodeMirror makes its styles as style
// sheets by program. A content policy that forbids inline styles allows these. Each file has its own state, with its
// own undo history.

import { acceptCompletion, autocompletion, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
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
import { type AskHover, createHovers } from "./hover.ts";
import { THEME } from "./theme.ts";

interface Editor {
  /** Path of the shown file. */
  readonly file: () => string;
  readonly text: () => string;
  /** Shows a file; `text` is its content if it was not shown before. */
  readonly open: (file: string, text: string) => void;
  /** Discards the state of a file that is not shown now. */
  readonly forget: (file: string) => void;
  /** Discards the state of all files, and shows this file. */
  readonly begin: (file: string, text: string) => void;
  /** Replaces the text of the shown file in one step of the undo history, as `change` does with a range. */
  readonly replace: (text: string) => void;
  readonly change: (at: Range, insert: string) => void;
  /** Moves the cursor to a range of the shown file, and scrolls to it. */
  readonly show: (at: Range) => void;
  readonly mark: (findings: readonly Finding[]) => void;
}

interface Listeners {
  readonly onChange: () => void;
  readonly onFormat: () => void;
  readonly complete: CompletionSource;
  readonly askHover: AskHover;
}

export function openEditor(place: HTMLElement, file: string, text: string, listeners: Listeners): Editor {
  const root = place.attachShadow({ mode: "open" });
  const states = new Map<string, EditorState>();
  let shown = file;
  const create = (path: string, doc: string): EditorState =>
    EditorState.create({ doc, extensions: createExtensions(path, listeners) });
  const view = new EditorView({ state: create(file, text), parent: root, root });
  const within = (offset: number): number => Math.min(offset, view.state.doc.length);
  const change = ({ from, to }: Pick<Range, "from" | "to">, insert: string): void => {
    const annotations = isolateHistory.of("full");
    view.dispatch({ changes: { from: within(from), to: within(to), insert }, annotations });
  };
  return {
    file: () => shown,
    text: () => view.state.doc.toString(),
    open: (path, doc) => {
      if (path === shown) return;
      states.set(shown, view.state);
      shown = path;
      view.setState(states.get(path) ?? create(path, doc));
    },
    forget: (path) => states.delete(path),
    begin: (path, doc) => {
      states.clear();
      shown = path;
      view.setState(create(path, doc));
    },
    replace: (next) => change({ from: 0, to: view.state.doc.length }, next),
    change,
    show: ({ from, to }) => {
      view.dispatch({ selection: { anchor: within(from), head: within(to) }, scrollIntoView: true });
      view.focus();
    },
    mark: (findings) => {
      const here = findings.flatMap((finding) => diagnosticOf(finding, shown, within));
      view.dispatch(setDiagnostics(view.state, here));
    },
  };
}

function createExtensions(file: string, { onChange, onFormat, complete, askHover }: Listeners): Extension {
  const format = {
    key: "Shift-Alt-f",
    run: () => {
      onFormat();
      return true;
    },
  };
  const isPage = file.endsWith(".cap");
  return [
    ...[lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), highlightActiveLine()],
    // This key map comes before the others, because an open completion list needs the arrow keys, Enter and Escape.
    isPage ? [autocompletion({ override: [complete], icons: false }), createHovers(askHover), colouredWords] : [],
    // If no completion list is open, Tab leaves the editor, as it leaves every other part of the page.
    keymap.of([{ key: "Tab", run: acceptCompletion }, format, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ "aria-label": isPage ? `The page, ${file}` : file, spellcheck: "false" }),
    EditorView.updateListener.of((update) => update.docChanged && onChange()),
    THEME,
  ];
}

function diagnosticOf(finding: Finding, file: string, within: (at: number) => number): Diagnostic[] {
  const { range, severity, code, message, help } = finding;
  if (range === undefined || range.file !== file) return [];
  const words = help === undefined ? message : `${message}\n${help}`;
  return [{ from: within(range.from), to: within(range.to), severity, source: code, message: words }];
}
