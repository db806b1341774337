// Parses the serial console into events: whole lines, and the times at which the machine waits for a person. The bytes are the guest's,
// so every size has a limit.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";

/**
 * An event of the console: a whole line with its terminal rows joined, an unfinished line, an echo, or a question of
 * the machine. An echo is a question and the typed answer after it; while the answer is being typed, its kind is
 * `typing`. The machine asks for a line at its prompt, for a key after each page of a long text, or for an approval of
 * a call. To approve only this call, a person types `letters`; to approve later calls too, `remembering`. The machine
 * may also ask for a signature over a line, for the passphrase of its data disk, or for the passphrase of a user
 * (`unseen`). Passphrases are typed without echo. If `isFilled` is set, the prompt already shows a line that the person
 * typed before the last question.
 */
export type ConsoleEvent =
  | { readonly kind: "line" | "unfinished" | "echo" | "typing"; readonly text: string }
  | { readonly kind: "asks"; readonly for: "line"; readonly isFilled?: true }
  | { readonly kind: "asks"; readonly for: "passphrase" }
  | { readonly kind: "asks"; readonly for: "unseen" }
  | { readonly kind: "asks"; readonly for: "page" }
  | { readonly kind: "asks"; readonly for: "approval"; readonly letters: string; readonly remembering?: string }
  | { readonly kind: "asks"; readonly for: "signature"; readonly challenge: string };

export interface ConsoleReader {
  /** Returns the events that these bytes complete, in order. */
  readonly push: (bytes: Uint8Array) => readonly ConsoleEvent[];
  /** Ends the console when the machine is off. A line that could have continued in another row is now complete. */
  readonly end: () => readonly ConsoleEvent[];
  /** Returns the last line if it is still unfinished when the machine is off; otherwise returns an empty text. */
  readonly rest: () => string;
}

/** Maximum length of a line in UTF-16 code units; the rest is dropped. Every line of the console is much shorter. */
const LONGEST_LINE = 16_384;

/** The prompt names a session unless it is the default session of the machine. */
const PROMPT = /^you(?: \([\w-]+\))?> $/;
const MORE = "> ";
/**
 * Prompt that the console draws when a person types `/` while the console is not waiting for a line. This prompt does
 * not wait for input, because the `/` began the input.
 */
const COMMAND = "command> ";
const SIGNATURE = "paste the signature> ";
/** Line of the console with the text to sign. Only the console prints the mark at its beginning, and never before text of a model. */
const CHALLENGE = /^\* (?:\([\w-]+\) )?sign this line: (.*)$/;
const APPROVAL = /^allow\? type ([a-z]{3}) (?:to allow|for once, ([a-z]{3}) for all of that), no to refuse> $/;
const PAGE = /^page \d+ of \d+: space shows the next, (?:b the one before, )?q refuses> $/;
/** Prompt of init, before anything else runs. A similar text after the first prompt comes from another process, and is not a question. */
const PASSPHRASE = /^(?:(?:new )?passphrase of [\w-]+|once more)> $/;
/** Prompt of the console for the passphrase of a user; no other process can print it at the beginning of a row. */
const UNSEEN = /^(?:(?:new )?passphrase, which is not shown|the new passphrase once more)> $/;
/** Prefix of init's messages, each on its own line. A prompt that they interrupt is printed again, with the text typed so far. */
const INIT = "capos: ";
/** Line that the console prints above a prompt that already contains typed text. */
const KEPT = "* typed before the question: Enter sends it, Ctrl-U drops it";
const PROMPTED = /^you(?: \([\w-]+\))?> /;
/**
 * Returns whether the line is a prompt with the text that was typed at it. A line with text of a model never begins
 * like a prompt.
 */
export const isPrompted = (text: string): boolean => PROMPTED.test(text);
/** Beginning of a row that continues the marked line above it. */
const GOES_ON = "  ";
const MARKED = /^(?:\* |(?:agent|loop)(?: \([\w-]+\))?> |\[tool\] |capos: )/;

const FILLED: ConsoleEvent = { kind: "asks", for: "line", isFilled: true };

export function readConsole(): ConsoleReader {
  const decoder = new TextDecoder();
  let line = "";
  // Whether this line was already reported as a question: text that a person types behind the question appears on the same line.
  let told = false;
  let challenge = "";
  let isPasted = false;

  // The console breaks a long line into several terminal rows. If this is set, a row has ended, and this is the text
  // received so far of the next row. Two leading spaces show that this row continues the line.
  let below: string | undefined;

  // Whether the next prompt is the old prompt again: since the person typed last, the console printed only messages of init.
  let isInterrupted = false;
  let wasTyped = false;
  let hasBegun = false;
  // Whether the next prompt already contains text that the person typed before the console asked a question. The
  // console announces such a prompt.
  let isFilled = false;
  // Whether the console shows nothing of what the person types now, such as a passphrase. After such input, the console
  // does not print the old prompt again.
  let isUnseen = false;

  const end = (): readonly ConsoleEvent[] => {
    const text = normalizeLine(line);
    // For each line of a pasted signature, the console prints a new prompt and echoes the line after it.
    const isPaste = isPasted && line.startsWith(MORE);
    // A typed line is printed again if the cursor cannot move back in it.
    const isRedrawn = (isInterrupted || wasTyped) && PROMPTED.test(text);
    const isTyped = told || isPaste || line.startsWith(COMMAND) || isRedrawn;
    isInterrupted = wasTyped && text.startsWith(INIT);
    wasTyped = (isTyped && !isUnseen) || isInterrupted;
    isUnseen = false;
    isPasted &&= isTyped;
    isFilled = text === KEPT;
    told = false;
    challenge = CHALLENGE.exec(text)?.[1] ?? challenge;
    return [{ kind: isTyped ? "echo" : "line", text }];
  };
  /** Joins the next terminal row to the line if it continues the line; otherwise the line has ended. */
  const join = (): readonly ConsoleEvent[] => {
    if (below === undefined || GOES_ON.startsWith(below)) return [];
    const goesOn = below.startsWith(GOES_ON);
    const seen = goesOn ? [] : end();
    line = limitLine(goesOn ? line + below.slice(GOES_ON.length) : below);
    below = undefined;
    return seen;
  };
  const grow = (text: string): readonly ConsoleEvent[] => {
    if (below === undefined) line = limitLine(line + text);
    else below += text;
    return join();
  };
  const endRow = (): readonly ConsoleEvent[] => {
    const seen: ConsoleEvent[] = [];
    if (below !== undefined) {
      seen.push(...end());
      line = below;
      below = undefined;
    }
    if (!told && MARKED.test(normalizeLine(line))) {
      below = "";
      return [...seen, { kind: "unfinished", text: normalizeLine(line) }];
    }
    seen.push(...end());
    line = "";
    return seen;
  };
  const push = (bytes: Uint8Array): readonly ConsoleEvent[] => {
    const [first = "", ...others] = decoder.decode(bytes, { stream: true }).split("\n");
    const seen = [...grow(first)];
    for (const next of others) seen.push(...endRow(), ...grow(next));
    if (told && !isUnseen) return [...seen, { kind: "typing", text: normalizeLine(line) }];
    if (told || line === "" || below !== undefined) return seen;
    const shown = normalizeLine(line);
    const asks =
      isFilled && PROMPTED.test(shown) ? FILLED : recognizeQuestion(shown, challenge, hasBegun ? "begun" : "starting");
    told = asks !== undefined;
    isUnseen ||= asks?.kind === "asks" && (asks.for === "passphrase" || asks.for === "unseen");
    hasBegun ||= asks?.kind === "asks" && asks.for === "line";
    if (told && isInterrupted) return seen;
    isPasted ||= asks?.kind === "asks" && asks.for === "signature";
    seen.push(asks ?? { kind: "unfinished", text: shown });
    return seen;
  };
  const takeWhole = (): readonly ConsoleEvent[] => {
    if (below === undefined) return [];
    const seen = end();
    line = below;
    below = undefined;
    return seen;
  };
  return { push, end: takeWhole, rest: () => normalizeLine(line) };
}

function recognizeQuestion(line: string, challenge: string, stage: "begun" | "starting"): ConsoleEvent | undefined {
  if (stage === "starting" && PASSPHRASE.test(line)) return { kind: "asks", for: "passphrase" };
  if (PROMPT.test(line)) return { kind: "asks", for: "line" };
  if (UNSEEN.test(line)) return { kind: "asks", for: "unseen" };
  if (line === SIGNATURE) return { kind: "asks", for: "signature", challenge };
  if (PAGE.test(line)) return { kind: "asks", for: "page" };
  const [, letters, remembering] = APPROVAL.exec(line) ?? [];
  if (letters === undefined) return undefined;
  return { kind: "asks", for: "approval", letters, ...(remembering === undefined ? {} : { remembering }) };
}

function limitLine(text: string): string {
  return text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text;
}

// Cursor movements and screen clearing by the firmware and the boot loader are dropped. Other control characters are escaped, so that no
// output of a guest affects the terminal that shows it.
const ESCAPE = String.fromCharCode(0x1b);
const CURSOR = new RegExp(`${ESCAPE}(?:\\[[0-9;?=]*[A-Za-z]|c)`, "g");

/** Returns a line as a person sees it. A text that is compared with such a line must be normalized, too. */
export function normalizeLine(text: string): string {
  return escapeInvisible(text.replace(CURSOR, "").replaceAll("\r", "").replaceAll("\t", "    "));
}
