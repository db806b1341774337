// A difference for a pull request. Words of pages stand in code spans alone, where Markdown means nothing.

import { visible } from "../../../lang/diagnostics/index.ts";
import type { Direction } from "../../queries/diff/index.ts";
import { code, codeCell } from "../../queries/reference/index.ts";
import { callText, countLine, headline, wayLines, whereLines } from "./text.ts";
import type { DiffReport, ToldChange } from "./told.ts";

/** A comment of a forge may have 65,536 characters, and nobody reads more rows than these. */
const MOST_ROWS = 100;

export function diffMarkdown(report: DiffReport): string {
  const { changes, notCompared } = report;
  const parts = [
    `### ${code(visible(headline(report)))}`,
    changes.length === 0 ? "Nothing means anything else." : `**${countLine(changes)}**`,
    ...(["widened", "moved", "narrowed"] as const).flatMap((direction) => section(direction, changes)),
    ...notCompared.map((what) => `Not compared: ${code(visible(what))}`),
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
  return `| ${cells.map((texts) => texts.map(cell).join("<br>")).join(" | ")} |`;
}

/** Words of strangers, which nothing in them ends. */
function cell(text: string): string {
  return text === "" ? "" : codeCell(visible(text));
}
