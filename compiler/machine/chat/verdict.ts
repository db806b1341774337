// Judges whether the lines of one section match the script.

import { normalizeLine } from "./console.ts";
import type { Expectation, Interrupt, ScriptStep } from "./script.ts";

/** One checked claim of a script. `line` is the line in the script, or 0 for claims that every run makes. */
export interface Verdict {
  readonly line: number;
  readonly passed: boolean;
  /** The claim in words; if it failed, with the actual text. */
  readonly words: string;
}

/**
 * Judges all claims of a section, which is an act of a script with the claims about the lines after it. Each line that
 * must be present is searched after the line that the previous claim found. `unpressed` contains the interrupts whose
 * text never appeared.
 */
export function judge(
  stretch: ScriptStep,
  lines: readonly string[],
  unpressed: readonly Interrupt[],
): readonly Verdict[] {
  let from = 0;
  const claims = stretch.expectations.map((expectation) => {
    if (expectation.kind === "absent") return judgeAbsent(expectation, lines);
    if (expectation.kind === "exactly") return judgeExactly(expectation, lines);
    const found = lines.findIndex((line, index) => index >= from && line.includes(expectation.text));
    if (found >= 0) from = found + 1;
    return judgePresent(expectation, found >= 0 ? "present" : "absent", lines);
  });
  return [...stretch.interrupts.map((interrupt) => judgePressed(interrupt, unpressed, lines)), ...claims];
}

function judgePressed(interrupt: Interrupt, unpressed: readonly Interrupt[], lines: readonly string[]): Verdict {
  const words = interruptWords(interrupt);
  const passed = !unpressed.includes(interrupt);
  return { line: interrupt.line, passed, words: passed ? words : `${words}; it was not shown, but${quote(lines)}` };
}

function interruptWords({ text, keys, command = "Ctrl-C" }: Interrupt): string {
  return `${keys === undefined ? command : "keys"} at ${JSON.stringify(text)}`;
}

type Text = Extract<Expectation, { readonly text: string }>;
type Listing = Extract<Expectation, { readonly kind: "exactly" }>;

function judgePresent(expectation: Text, found: "present" | "absent", lines: readonly string[]): Verdict {
  const words = `a line with ${JSON.stringify(expectation.text)}`;
  return {
    line: expectation.line,
    passed: found === "present",
    words: found === "present" ? words : `${words}; the lines were${quote(lines)}`,
  };
}

/** Checks that the lines of the section that begin with `* ` are exactly the lines of the file, in the same order. */
function judgeExactly(expectation: Listing, lines: readonly string[]): Verdict {
  const words = `exactly the lines of ${expectation.file}`;
  const found = lines.filter((line) => line.startsWith(RUNNER));
  const wanted = expectation.lines.map((line) => `${RUNNER}${normalizeLine(line)}`);
  const differs = [...wanted, ...found].findIndex((_, index) => wanted[index] !== found[index]);
  const at = `line ${differs + 1} is ${JSON.stringify(found[differs])} and not ${JSON.stringify(wanted[differs])}`;
  return { line: expectation.line, passed: differs < 0, words: differs < 0 ? words : `${words}; ${at}` };
}

/** Beginning of the lines that are compared with the file. */
const RUNNER = "* ";

function judgeAbsent(expectation: Text, lines: readonly string[]): Verdict {
  const words = `no line with ${JSON.stringify(expectation.text)}`;
  const found = lines.filter((line) => line.includes(expectation.text));
  const passed = found.length === 0;
  return { line: expectation.line, passed, words: passed ? words : `${words}; there was${quote(found)}` };
}

/** Returns the verdicts of a section that the conversation did not reach: all of its claims and its act failed. */
export function failUnreached(stretch: ScriptStep, reason: string): readonly Verdict[] {
  return [
    { line: stretch.line, passed: false, words: reason },
    ...stretch.interrupts.map((interrupt) => ({
      line: interrupt.line,
      passed: false,
      words: `${interruptWords(interrupt)}; ${reason}`,
    })),
    ...stretch.expectations.map((expectation) => ({
      line: expectation.line,
      passed: false,
      words: `${expectation.kind} ${JSON.stringify("text" in expectation ? expectation.text : expectation.file)}; ${reason}`,
    })),
  ];
}

/** Maximum number of lines in the message, which is enough to see the difference. */
const MOST_LINES = 40;

function quote(lines: readonly string[]): string {
  if (lines.length === 0) return " none";
  const shown = lines.slice(-MOST_LINES).map((line) => `\n    | ${line}`);
  return shown.join("");
}
