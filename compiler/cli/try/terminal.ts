// Implements the terminal of a trial: a line editor with history and completion, and text of the agents above its prompt. Without a
// terminal, lines are read one after another.

import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import { Writable } from "node:stream";
import { bug, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { openOutput } from "../../host/world.ts";
import type { Colours, Front, Person, PromptKind, Said } from "../../trial/console.ts";
import { PLAIN, renderStyle } from "../../trial/markdown.ts";
import { paint } from "../../trial/screen.ts";
import { HistorySearch } from "./history-search.ts";

export interface TrialTerminal extends Front {
  /** Restores the previous state of the terminal. */
  readonly close: () => void;
}

/** A line that the person has not sent, and its pasted parts. */
interface Draft {
  readonly text: string;
  readonly pasted: string[];
}

const [COLUMNS, ROWS] = [80, 24];
/** Escape sequences that begin and end the faint text of the row below the prompt. */
const [FAINT, END] = [renderStyle({ ...PLAIN, isMarkup: true }), renderStyle(PLAIN)];
/** Beginning of a row that continues a line. */
const CONTINUED = "  ";
/** Escape sequences that turn the marking of pasted text on and off. */
const [MARK_PASTES, LEAVE_PASTES] = ["\u001b[?2004h", "\u001b[?2004l"];

/**
 * Opens the terminal of this process. `left` is called when the person has left. The line `first` is entered before all others, even
 * if the input has ended already.
 */
export function openTerminal(left: () => void, first?: string): TrialTerminal {
  const isTerminal = openOutput().isTTY === true && process.stdin.isTTY === true;
  let person: Person | undefined;
  /** Functions that pass on the input that the person gave before the console was attached. */
  const early: ((person: Person) => void)[] =
    first === undefined
      ? []
      : [(given) => given.enter({ text: first, pieces: [{ text: first.trim(), isPasted: false }] })];
  const pass = (act: (given: Person) => void): void => {
    if (person === undefined) early.push(act);
    else act(person);
  };
  // The environment states whether the terminal has colours; the person may also turn colours on and off.
  const takesColours = isTerminal && process.env["TERM"] !== "dumb" && (process.env["NO_COLOR"] ?? "") === "";
  let colours: Colours = takesColours ? "on" : "off";
  let shown: { readonly text: string; readonly kind: PromptKind } | undefined;
  let kept: Draft | undefined;
  /** The line that the editor has drawn last. */
  let drawn: string | undefined;
  let pastedFrom: number | undefined;
  let pasted: string[] = [];
  const isRewritable = isTerminal && process.env["TERM"] !== "dumb";
  const countColumns = (): number => process.stdout.columns ?? COLUMNS;
  /** Words of the row below the prompt, and whether that row is drawn. */
  let status = "";
  let hasStatus = false;
  let isStatusDue = false;
  // The editor's output is written only while a prompt is shown. Keys that are typed while no prompt is shown appear with the next prompt.
  const output = new Writable({
    write: (chunk, _, done) => {
      if (shown !== undefined) {
        process.stdout.write(chunk);
        drawStatusSoon();
      }
      done();
    },
  });
  const editor: Interface = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: Object.defineProperty(output, "columns", { get: countColumns }), terminal: true }),
    completer: (line: string, answer: (error: null, found: [string[], string]) => void) => {
      const found = person?.complete(line) ?? Promise.resolve(line);
      void found.then((longer) => answer(null, [longer === line ? [] : [longer], line]));
    },
  });
  /** Draws the status again after a write of the editor, because the editor clears everything below its prompt. */
  const drawStatusSoon = (): void => {
    if (!isRewritable || isStatusDue || (status === "" && !hasStatus)) return;
    isStatusDue = true;
    queueMicrotask(() => {
      isStatusDue = false;
      drawStatus();
    });
  };
  const drawStatus = (): void => {
    if (shown?.kind !== "line" || (status === "" && !hasStatus)) return;
    const { cursor } = editor;
    const at = editor.getCursorPos();
    Object.assign(editor, { cursor: editor.line.length });
    const end = editor.getCursorPos();
    Object.assign(editor, { cursor });
    const down = end.rows - at.rows + 1;
    const words = `* ${status}`.slice(0, countColumns() - 1);
    const row =
      status === "" ? "" : colours === "on" ? `${paint(words.slice(0, 2))}${FAINT}${words.slice(2)}${END}` : words;
    // The status is in the row below the prompt. If the prompt is in the last row of the window, each `\n` scrolls the
    // window, so that there is such a row.
    process.stdout.write(`${"\n".repeat(down)}\r\u001b[K${row}\u001b[${down}A\u001b[${at.cols + 1}G`);
    hasStatus = status !== "";
  };
  /** Removes the row below the prompt. The cursor must be in that row. */
  const eraseStatus = (): void => {
    if (hasStatus) clearScreenDown(process.stdout);
    hasStatus = false;
  };
  /** Rows of a line that continues, because it is pasted or each row ended with a backslash. */
  let rows = "";
  /** The search that Ctrl-R began, and the line that was typed before the search. */
  let search: { readonly found: HistorySearch; readonly typed: string } | undefined;
  const beginSearch = (): void => {
    const { line } = editor;
    search = { found: new HistorySearch(history, line), typed: line };
    showSearch();
  };
  /** Draws the search text as the prompt, followed by the line that the search found, or by the typed line if it found none. */
  const showSearch = (): void => {
    if (search === undefined) return;
    const { text, line, isFailed } = search.found;
    const wanted = line ?? search.typed;
    if (editor.line !== wanted) replaceLine(wanted);
    drawPrompt(`(search) ${text}${isFailed ? ", in no older line" : ""}> `);
  };
  const replaceLine = (text: string): void => {
    takeLine(editor);
    editor.write(text);
    noteRows();
  };
  /**
   * Handles a key during a search. Returns whether the search used the key. Ctrl-G ends the search and restores the
   * line that was typed before. Any other key ends the search, and edits the line that was found.
   */
  const searchKey = (typed: unknown, key: Key): boolean => {
    if (search === undefined) return false;
    const { found, typed: before } = search;
    if (key?.ctrl === true && key.name === "r") found.pass();
    else if (key?.name === "backspace") found.shorten();
    else if (key?.ctrl !== true && key?.meta !== true && isPrintable(typed)) found.extend(typed);
    else {
      search = undefined;
      const isAbandoned = key?.ctrl === true && key.name === "g";
      if (isAbandoned) replaceLine(before);
      showPrompt();
      return isAbandoned;
    }
    showSearch();
    return true;
  };
  /** Tells the editor in which row of the line the cursor is, because the editor does not count the rows that typed text fills. */
  const noteRows = (): void => {
    Object.assign(editor, { prevRows: editor.getCursorPos().rows });
  };
  const drawPrompt = (text: string): void => {
    editor.setPrompt(colours === "on" && text !== "" ? paint(text) : text);
    editor.prompt(true);
  };
  /** Draws the prompt and the typed text behind it, in place of the present content of the cursor's row. */
  const showPrompt = (): void => drawPrompt(shown?.text ?? "");
  let history: readonly string[] = [];
  editor.on("history", (lines: readonly string[]) => {
    history = [...lines];
  });
  /** Removes the typed line with all of its rows, and returns it. */
  const takeDraft = (): Draft => {
    const draft = { text: rows + takeLine(editor), pasted };
    [rows, pasted] = ["", []];
    return draft;
  };
  const keepDraft = (): void => {
    const draft = takeDraft();
    if (draft.text !== "") kept = draft;
  };
  /**
   * Inserts a line with all of its rows after the text that is already typed. The line is not sent before the person presses Enter:
   * each line end in it only begins a new row of the editor.
   */
  const fill = (draft: Draft): void => {
    const typed = takeDraft();
    pasted = [...typed.pasted, ...draft.pasted];
    const all = (typed.text + draft.text).split("\n");
    const last = all.pop() ?? "";
    for (const row of all) {
      process.stdout.write(`${escapeInvisible(row)}\n`);
      rows += `${row}\n`;
      editor.setPrompt(CONTINUED);
      editor.prompt();
    }
    editor.write(last);
  };
  const takeSaid = (line: string): Said => {
    const pieces = splitPasted(
      line.trim(),
      pasted.map((one) => one.trim()),
    );
    pasted = [];
    return { text: line, pieces };
  };
  editor.on("line", (row) => {
    eraseStatus();
    if (pastedFrom !== undefined) {
      pasted.push(row.slice(pastedFrom));
      pastedFrom = 0;
    }
    // A message for the agent may have several rows, which are pasted or end with a backslash. An answer to a question
    // has one row. Each row of a pasted signature is read as a line of its own.
    const mayContinue = shown === undefined || shown.kind === "line";
    const isContinued = pastedFrom !== undefined || (shown !== undefined && row.endsWith("\\"));
    if (isTerminal && mayContinue && isContinued) {
      rows += `${pastedFrom === undefined ? row.slice(0, -1) : row}\n`;
      editor.setPrompt(CONTINUED);
      editor.prompt();
      return;
    }
    // The person pressed Enter, so the prompt is no longer in the row of the cursor.
    if (isTerminal) {
      shown = undefined;
      drawn = rows + row;
    }
    const said = takeSaid(rows + row);
    rows = "";
    pass((given) => given.enter(said));
  });
  editor.on("close", () => pass((given) => given.end()));
  editor.on("SIGINT", () => {
    if (person?.interrupt() === true) return;
    eraseStatus();
    if (takeDraft().text === "") process.stdout.write("\n* /exit or Ctrl-D ends it\n");
    showPrompt();
  });
  if (isTerminal) {
    process.stdout.write(MARK_PASTES);
    process.stdin.prependListener("keypress", noteRows);
    interceptKeys(editor, (typed, key) => {
      if (shown?.kind !== "line") return false;
      if (search !== undefined) return searchKey(typed, key);
      if (key?.ctrl !== true || key.name !== "r") return false;
      beginSearch();
      return true;
    });
    process.stdin.on("keypress", (_, key: Key) => {
      if (key?.ctrl === true && key.name === "u" && rows !== "") {
        takeDraft();
        showPrompt();
      }
      if (key?.name === "paste-start") pastedFrom = editor.cursor;
      if (key?.name !== "paste-end" || pastedFrom === undefined) return;
      pasted.push(editor.line.slice(pastedFrom, editor.cursor));
      pastedFrom = undefined;
    });
  }
  /** Removes the prompt with all rows of the typed line from the window. The line stays in the editor. */
  const leavePrompt = (): void => {
    if (isRewritable) moveCursor(process.stdout, 0, -editor.getCursorPos().rows);
    cursorTo(process.stdout, 0);
    clearScreenDown(process.stdout);
    Object.assign(editor, { prevRows: 0 });
    [hasStatus, search] = [false, undefined];
  };
  /** Draws everything again after a change of the window's size. */
  const drawAgain = (): void => {
    if (person === undefined) return;
    person.drawAgain();
    Object.assign(editor, { prevRows: 0 });
    [hasStatus, search] = [false, undefined];
    if (shown === undefined) return;
    for (const [index, row] of rows.split("\n").slice(0, -1).entries())
      process.stdout.write(`${index === 0 ? shown.text : CONTINUED}${escapeInvisible(row)}\n`);
    drawPrompt(rows === "" ? shown.text : CONTINUED);
  };
  if (isRewritable) process.stdout.on("resize", drawAgain);
  return {
    attach: (given) => {
      person = given;
      for (const act of early.splice(0)) act(given);
    },
    write: (text) => {
      process.stdout.write(text);
    },
    // If the output goes to a program, no line is split.
    columns: () => (isTerminal ? countColumns() : Number.MAX_SAFE_INTEGER),
    rows: () => process.stdout.rows ?? ROWS,
    prompt: (next) => {
      if (shown !== undefined && isTerminal) leavePrompt();
      const before = shown?.kind;
      shown = next;
      if (next === undefined) return;
      if (!isTerminal) {
        if (next.kind !== "line") process.stdout.write(next.text);
        return;
      }
      // Text that a person typed for the agent must not answer a question of the console. It is removed, and shown
      // again at the prompt after the question.
      if (next.kind !== "line" && before !== "question" && before !== "signature") keepDraft();
      if (next.kept !== undefined) keepDraft();
      showPrompt();
      if (next.kept !== undefined) {
        // Puts the kept line back into the prompt. The editor gets a list of its pasted parts, so that they still count
        // as pasted.
        const pieces = next.kept.pieces.flatMap(({ text, isPasted }) => (isPasted ? [text] : []));
        fill({ text: next.kept.text.trim(), pasted: pieces });
      } else if (next.kind === "line" && (kept !== undefined || rows !== "")) {
        const line = kept ?? { text: "", pasted: [] };
        kept = undefined;
        fill(line);
      }
    },
    taken: (line) => {
      // Without a terminal, the output contains each prompt and the line that was read at it.
      const prompt = !isTerminal && shown?.kind === "line" ? shown.text : "";
      if (drawn !== line) process.stdout.write(`${prompt}${escapeInvisible(line)}\n`);
      drawn = undefined;
    },
    isLive: isTerminal,
    isRewritable,
    status: (words) => {
      status = words;
      drawStatusSoon();
    },
    get isPainted() {
      return colours === "on";
    },
    setColours: (wanted) => {
      colours = wanted;
    },
    left,
    close: () => {
      if (isTerminal) process.stdout.write(LEAVE_PASTES);
      process.stdout.off("resize", drawAgain);
      process.stdin.off("keypress", noteRows);
      editor.close();
      process.stdin.pause();
    },
  };
}

/** Removes the current text from the line editor, and returns the text. */
function takeLine(editor: Interface): string {
  const { line } = editor;
  editor.write(null, { ctrl: true, name: "e" });
  editor.write(null, { ctrl: true, name: "u" });
  // With TERM=dumb the line editor of Node.js ignores editing keys.
  if (editor.line !== "") Object.assign(editor, { line: "", cursor: 0 });
  return line;
}

/** A key as the line editor of Node.js describes it. */
type Key = { readonly name?: string; readonly ctrl?: boolean; readonly meta?: boolean } | undefined;

function isPrintable(typed: unknown): typed is string {
  return typeof typed === "string" && /^[^\p{Cc}]+$/u.test(typed);
}

/**
 * Passes each key that a person presses to `take`, before the line editor. The editor gets the keys for which `take` returns false, and
 * all text that the program writes. Fails if the editor has no method `_ttyWrite`, which Node.js does not document, but uses in its
 * REPL.
 */
function interceptKeys(editor: Interface, take: (typed: unknown, key: Key) => boolean): void {
  const edit: unknown = Reflect.get(editor, "_ttyWrite");
  if (typeof edit !== "function") bug("the line editor of Node.js has no _ttyWrite");
  const { write } = editor;
  let isWriting = false;
  const writeAlone: typeof write = (...given: Parameters<typeof write>) => {
    const before = isWriting;
    isWriting = true;
    try {
      write.apply(editor, given);
    } finally {
      isWriting = before;
    }
  };
  const takeOrEdit = (typed: unknown, key: Key): void => {
    if (isWriting || !take(typed, key)) edit.call(editor, typed, key);
  };
  Object.assign(editor, { write: writeAlone, _ttyWrite: takeOrEdit });
}

/**
 * Splits a line into its typed and its pasted parts. A paste that was edited afterwards makes the whole line count as
 * pasted.
 */
export function splitPasted(line: string, pasted: readonly string[]): Said["pieces"] {
  const pieces: { text: string; isPasted: boolean }[] = [];
  let rest = line;
  for (const one of pasted.filter((text) => text !== "")) {
    const at = rest.indexOf(one);
    if (at < 0) return [{ text: line, isPasted: true }];
    if (at > 0) pieces.push({ text: rest.slice(0, at), isPasted: false });
    pieces.push({ text: one, isPasted: true });
    rest = rest.slice(at + one.length);
  }
  return rest === "" ? pieces : [...pieces, { text: rest, isPasted: false }];
}
