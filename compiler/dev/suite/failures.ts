// Summarizes the failures at the end, because a reader of CI sees only the end of a long output.

/** One failure: the name of the check, and its message. */
export interface Failure {
  readonly name: string;
  readonly words: string;
}

/**
 * Limits of the text of a failure. They are high enough to recognize a failure, and low enough that one stage does not
 * push the failures of another stage off the screen.
 */
const MOST_LINES = 12;
const MOST_FAILURES = 8;
const LONGEST_LINE = 400;

/** Returns the failures of one stage as text; empty if there are none. */
export function drawFailures(stage: string, failures: readonly Failure[]): string {
  const drawn = failures.slice(0, MOST_FAILURES).map(draw);
  const more = failures.length - drawn.length;
  return [...drawn, ...(more > 0 ? [`and ${more} failures more of ${stage}\n`] : [])].join("");
}

function draw({ name, words }: Failure): string {
  const lines = stripColour(words)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line.slice(0, LONGEST_LINE)}\n`);
  const more = lines.length > MOST_LINES ? [`  … ${lines.length - MOST_LINES} lines more\n`] : [];
  return `failed: ${name}\n${[...shown, ...more].join("")}`;
}

// Matches colour sequences, which make a log of CI hard to read. Some programs print them even without a terminal.
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, "g");

function stripColour(text: string): string {
  return text.replace(COLOUR, "").replaceAll("\r", "");
}
