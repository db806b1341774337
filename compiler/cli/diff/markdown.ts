// A difference for a pull request. Words of pages stand in code spans alone, where Markdown means nothing.

import { visible } from "../../../lang/diagnostics/index.ts";
import type { Direction } from "../../diff/index.ts";
import { callText, countLine, headline, wayLines, whereLines } from "./text.ts";
import type { DiffReport, ToldChange } from "./told.ts";

/** A comment of a forge may have 65,536 characters, and nobody reads more rows than these. */
const MOST_ROWS = 100;

export function diffMarkdown(report: DiffReport): string {
  const { changes, notCompared } = report;
  const parts = [
    `### ${code(headline(report))}`,
    changes.length === 0 ? "Nothing means anything else." : `**${countLine(changes)}**`,
    ...(["widened", "moved", "narrowed"] as const).flatMap((direction) => section(direction, changes)),
    ...notCompared.map((what) => `Not compared: ${code(what)}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function section(direction: Direction, all: readonly ToldChange[]): readonly string[] {
  const changes = all.filter((change) => change.direction === direction);
  if (changes.length === 0) return [];
  const rows = changes.slice(0, MOST_ROWS).map(rowOf);
  const more = changes.length - rows.length;
  const table = ["| what | before | after | shown by | because |", "|---|---|---|---|---|", ...rows].join("\n");
  const title = `<summary>${direction}: ${changes.length}</summary>`;
  const left = more === 0 ? "" : `\n\nand ${more} more`;
  return [`<details${direction === "narrowed" ? "" : " open"}>${title}\n\n${table}${left}\n\n</details>`];
}

function rowOf({ at, what, before, after, witnesses, ways, lines, because }: ToldChange): string {
  const shown = [
    ...witnesses.map(callText),
    ...ways.flatMap(wayLines),
    ...lines.map(({ words, place }) => `${place}: ${words}`),
  ];
  const cells = [whereLines(at, what), [before], [after], shown, because];
  return `| ${cells.map((texts) => texts.map(code).join("<br>")).join(" | ")} |`;
}

/** A code span that ends where it is meant to, in a cell that does too. */
function code(text: string): string {
  const plain = visible(text).replaceAll("\n", " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return plain === "" ? "" : `${fence}${padding}${plain}${padding}${fence}`;
}
