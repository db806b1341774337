// Renders the output of the simulated console as lines, with the same text as on a machine's console, without colours.

import type { Notice } from "../../../../engine/lib/wire/generated/wire.ts";
import type { ConsoleOutput } from "../../in-process/fake-console.ts";

const MARKS = { runner: "loop> ", model: "agent> ", tool: "[tool] " } as const;
/** Prefix of a line that continues the previous one. */
const GOES_ON = "  ";

/** Splits the output after each question. Each part is checked by the claims that follow one act of a script. */
export function splitStretches(drawn: readonly ConsoleOutput[]): readonly (readonly string[])[] {
  const stretches: ConsoleOutput[][] = [[]];
  for (const one of drawn) {
    stretches.at(-1)?.push(one);
    if (one.what === "question") stretches.push([]);
  }
  return stretches.map(renderLines);
}

function renderLines(drawn: readonly ConsoleOutput[]): readonly string[] {
  let text = "";
  let open = "";
  for (const one of drawn) {
    const mark = one.what === "text" ? MARKS[one.speaker] : "";
    // Consecutive texts of one speaker are on the same line.
    if (text !== "" && !text.endsWith("\n") && mark !== open) text += "\n";
    if (one.what === "text") text += (mark === open && !text.endsWith("\n") ? "" : mark) + indentFollowing(one.text);
    if (one.what === "notice" && one.notice.stage === "finished") text += `${MARKS.tool}${describeCall(one.notice)}\n`;
    if (one.what === "question") text += `* ${one.question.tool} ${one.question.arguments}\n`;
    open = text.endsWith("\n") ? "" : mark;
  }
  return text.split("\n").filter((line) => line.trim() !== "");
}

function indentFollowing(text: string): string {
  return text.replace(/\n(?=.)/gs, `\n${GOES_ON}`);
}

function describeCall({ tool, arguments: json, mode, outcome, detail, result }: Notice): string {
  const why = detail === "" ? "" : ` (${joinLines(detail)})`;
  const gave = result === "" ? "" : `: ${joinLines(result)}`;
  return `${tool} ${json} ${mode} → ${outcome}${why}${gave}`;
}

function joinLines(text: string): string {
  return text.replaceAll("\n", " ");
}
