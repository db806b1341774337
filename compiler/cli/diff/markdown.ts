// Renders a difference for a pull request. Text from pages appears only in code spans, in which Markdown has no effect.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { type ChangeKind, kindOf } from "../../queries/diff/index.ts";
import { renderCode, renderCodeCell } from "../../queries/reference/index.ts";
import type { ChangeReport, DiffReport } from "./diff-report.ts";
import {
  callText,
  countLine,
  describeWidening,
  renderClauses,
  renderFlow,
  renderHeadline,
  renderLine,
  renderPart,
  renderWhere,
} from "./text.ts";

/** Maximum number of rows. A comment on a forge has at most 65,536 characters, and people do not read more rows. */
const MOST_ROWS = 100;

export function diffMarkdown(report: DiffReport): string {
  const { changes, notCompared } = report;
  const parts = [
    `### ${renderCode(escapeInvisible(renderHeadline(report)))}`,
    changes.length === 0 ? "Nothing means anything else." : `**${countLine(changes)}**`,
    ...(["widened", "moved", "narrowed", "renamed"] as const).flatMap((kind) => renderSection(kind, changes)),
    ...notCompared.map((what) => `Not compared: ${renderCode(escapeInvisible(what))}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderSection(kind: ChangeKind, all: readonly ChangeReport[]): readonly string[] {
  const changes = all.filter((change) => kindOf(change) === kind);
  if (changes.length === 0) return [];
  const rows = changes.slice(0, MOST_ROWS).map(renderRow);
  const more = changes.length - rows.length;
  const table = ["| what | before | after | shown by | because |", "|---|---|---|---|---|", ...rows].join("\n");
  const title = `<summary>${kind}: ${changes.length}</summary>`;
  const left = more === 0 ? "" : `\n\nand ${more} more`;
  return [`<details${kind === "narrowed" ? "" : " open"}>${title}\n\n${table}${left}\n\n</details>`];
}

function renderRow(change: ChangeReport): string {
  const { at, what, before, after, clauses, parts, details, notes, witnesses, ways, lines, because } = change;
  const [first = "", ...more] = renderWhere(at, what);
  const shown = [
    ...parts.map(renderPart),
    ...witnesses.map(callText),
    ...notes,
    ...ways.flatMap(renderFlow),
    ...lines.map(renderLine),
  ];
  // Long decisions have one line for each clause, with the marks of a textual difference.
  const isLong = clauses.length > 0;
  const [old, now] = (["removed", "added"] as const).map((mark) =>
    renderClauses(clauses.filter((clause) => clause.mark === mark || clause.mark === "same")),
  );
  const cells = [
    [`${first}${describeWidening(change)}`, ...more],
    isLong ? (old ?? []) : [before],
    [...(isLong ? (now ?? []) : [after]), ...details],
    shown,
    because,
  ];
  return `| ${cells.map((texts) => texts.map(renderCell).join("<br>")).join(" | ")} |`;
}

/** Renders untrusted text as a code span that the text itself cannot end. */
function renderCell(text: string): string {
  return text === "" ? "" : renderCodeCell(escapeInvisible(text));
}
