// Renders a replay for a pull request. Text from records and pages appears only in code spans, in which Markdown has no
// effect.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { renderCode, renderCodeCell } from "../../queries/reference/index.ts";
import { type FindingGroup, groupFindings, type ReplayReport, type ToldFinding } from "./report.ts";
import { countLine, logLines, renderHeadline, renderKept, renderRecords } from "./text.ts";

/** Maximum number of rows. A comment on a forge has at most 65,536 characters, and people do not read more rows. */
const MOST_ROWS = 60;

export function replayMarkdown(report: ReplayReport): string {
  const { otherwise, undecided } = report;
  const filterByDirection = (wanted: string) => otherwise.filter(({ finding }) => finding.direction === wanted);
  const parts = [
    `### ${renderCode(escapeInvisible(renderHeadline(report)))}`,
    `**${countLine(report)}**`,
    ...renderKept(report),
    ...logLines(report).map((line) => `- ${renderCode(escapeInvisible(line))}`),
    ...(["widened", "moved", "narrowed"] as const).flatMap((name) =>
      renderSection(name, filterByDirection(name), report),
    ),
    ...renderSection("cannot be decided", undecided, report),
    ...promptTable(report),
  ];
  return `${parts.join("\n\n")}\n`;
}

function renderSection(title: string, findings: readonly ToldFinding[], report: ReplayReport): readonly string[] {
  const groups = groupFindings(findings);
  if (groups.length === 0) return [];
  const rows = groups.slice(0, MOST_ROWS).map((group) => renderRow(group, report));
  const more = groups.length - rows.length;
  const lines = ["| what | before | after | because | records |", "|---|---|---|---|---|", ...rows];
  const isOpen = title === "widened" || title === "moved";
  const summary = `<summary>${title}: ${findings.length}</summary>`;
  const left = more === 0 ? "" : `\n\nand ${more} more`;
  return [`<details${isOpen ? " open" : ""}>${summary}\n\n${lines.join("\n")}${left}\n\n</details>`];
}

function renderRow(group: FindingGroup, report: ReplayReport): string {
  const { finding, before, after, reason, rule } = group.told;
  const cells = [
    [`${finding.place}: ${finding.tool}`],
    [before, finding.recorded.rule],
    [after],
    [reason, rule === undefined ? "" : `${rule.place}: ${rule.words}`],
    [renderRecords(group, report)],
  ];
  return `| ${cells.map((texts) => texts.flatMap((text) => (text === "" ? [] : renderCodeCell(escapeInvisible(text)))).join("<br>")).join(" | ")} |`;
}

function promptTable({ replayed: { prompts } }: ReplayReport): readonly string[] {
  if (prompts.days.length === 0) return [];
  const rows = prompts.days.map(({ day = "unknown day", before, after, open }) => {
    return `| ${day} | ${before} | ${after} | ${open} |`;
  });
  return [["| prompts a day | before | after | cannot be decided |", "|---|--:|--:|--:|", ...rows].join("\n")];
}
