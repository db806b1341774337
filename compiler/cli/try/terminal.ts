// The terminal of a trial: a line editor with history and completion, and text of the agents above its prompt. Without a terminal, lines
// are read one after another.

import { clearScreenDown, createInterface, cursorTo, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { openOutput } from "../../host/world.ts";
import type { Front, Person, PromptKind, Said } from "../../trial/console.ts";

export interface TrialTerminal extends Front {
  /** Restores the previous state of the terminal. */
  readonly close: () => void;
}

const COLUMNS = 80;
/** Escape sequences that turn the marking of pasted text on and off. */
const [MARK_PASTES, LEAVE_PASTES] = ["\u001b[?2004h", "\u001b[?2004l"];

/**
 * Opens the terminal of this process. `left` is called when the person has left. The line `first` is entered before all others, even
 * if the input has ended already.
 */
export function openTerminal(left: () => void, first?: string): TrialTerminal {
  const isTerminal = openOutput().isTTY === true && process.stdin.isTTY === true;
  let person: Person | undefined;
  /** Input of the person from before the console was attached. */
  const early: ((person: Person) => void)[] =
    first === undefined
      ? []
      : [(given) => given.enter({ text: first, pieces: [{ text: first.trim(), isPasted: false }] })];
  const pass = (act: (given: Person) => void): void => {
    if (person === undefined) early.push(act);
    else act(person);
  };
  let shown: { readonly text: string; readonly kind: PromptKind } | undefined;
  let kept = "";
  /** The line that the editor has drawn last. */
  let drawn: string | undefined;
  let pastedFrom: number | undefined;
  let pasted: string[] = [];
  // The editor's output is written only while a prompt is shown. Keys that are typed earlier appear with the next
  // prompt.
  const output = new Writable({
    write: (chunk, _, done) => {
      if (shown !== undefined) process.stdout.write(chunk);
      done();
    },
  });
  const editor: Interface = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: Object.assign(output, { columns: COLUMNS }), terminal: true }),
    completer: (line: string, answer: (error: null, found: [string[], string]) => void) => {
      const found = person?.complete(line) ?? Promise.resolve([]);
      void found.then((choices) => answer(null, [[...choices], line]));
    },
  });
  const takeSaid = (line: string): Said => {
    if (pastedFrom !== undefined) pasted.push(line.slice(pastedFrom));
    const pieces = splitPasted(
      line.trim(),
      pasted.map((one) => one.trim()),
    );
    pasted = [];
    if (pastedFrom !== undefined) pastedFrom = 0;
    return { text: line, pieces };
  };
  editor.on("line", (line) => {
    // Enter has ended the row of the prompt.
    if (isTerminal) {
      shown = undefined;
      drawn = line;
    }
    const said = takeSaid(line);
    pass((given) => given.enter(said));
  });
  editor.on("close", () => pass((given) => given.end()));
  editor.on("SIGINT", () => {
    if (person?.interrupt() === true) return;
    if (editor.line === "") process.stdout.write("\n* /exit or Ctrl-D ends it\n");
    editor.write(null, { ctrl: true, name: "u" });
    editor.prompt(true);
  });
  if (isTerminal) {
    process.stdout.write(MARK_PASTES);
    process.stdin.on("keypress", (_, key: { readonly name?: string } | undefined) => {
      if (key?.name === "paste-start") pastedFrom = editor.cursor;
      if (key?.name !== "paste-end" || pastedFrom === undefined) return;
      pasted.push(editor.line.slice(pastedFrom, editor.cursor));
      pastedFrom = undefined;
    });
  }
  return {
    attach: (given) => {
      person = given;
      for (const act of early.splice(0)) act(given);
    },
    write: (text) => {
      process.stdout.write(text);
    },
    // Lines for a program are never split.
    columns: () => (isTerminal ? (process.stdout.columns ?? COLUMNS) : Number.MAX_SAFE_INTEGER),
    prompt: (next) => {
      if (shown !== undefined && isTerminal) {
        cursorTo(process.stdout, 0);
        clearScreenDown(process.stdout);
      }
      const before = shown?.kind;
      shown = next;
      if (next === undefined) return;
      if (!isTerminal) {
        if (next.kind !== "line") process.stdout.write(next.text);
        return;
      }
      // Text that a person typed for the agent must not answer a question of the console. It is removed, and shown
      // again at the prompt after the question.
      if (next.kind !== "line" && before !== "question" && before !== "signature") kept = takeLine(editor) || kept;
      editor.setPrompt(next.text);
      editor.prompt(true);
      if (next.kind === "line" && kept !== "") {
        const line = kept;
        kept = "";
        editor.write(line);
      }
    },
    taken: (line) => {
      // Without a terminal, a prompt for a line is written with the line that was read at it.
      const prompt = !isTerminal && shown?.kind === "line" ? shown.text : "";
      if (drawn !== line) process.stdout.write(`${prompt}${escapeInvisible(line)}\n`);
      drawn = undefined;
    },
    isLive: isTerminal,
    left,
    close: () => {
      if (isTerminal) process.stdout.write(LEAVE_PASTES);
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
  return line;
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
