// Prints a replay for a person at a terminal. Text from records and pages is untrusted: the caller escapes each line.

import { MOST_KEPT } from "../../queries/replay/index.ts";
import { describeWorth } from "../audit/records.ts";
import { type FindingGroup, groupFindings, type ReplayReport, type ToldFinding } from "./report.ts";

const WIDTH = 11;
const UNDER = " ".repeat(WIDTH);
/** Maximum number of records that are named for one decision. */
const MOST_NAMED = 12;
/** Maximum length, in characters, of the arguments that are shown as an example of a decision. */
const LONGEST_SHOWN = 120;

/** Returns the replay as text for people, line by line and without line ends. */
export function replayLines(report: ReplayReport): readonly string[] {
  const { otherwise, undecided } = report;
  const filterByDirection = (wanted: string) => otherwise.filter(({ finding }) => finding.direction === wanted);
  const sorted = [...filterByDirection("widened"), ...filterByDirection("moved"), ...filterByDirection("narrowed")];
  return [
    ...logLines(report),
    renderHeadline(report),
    ...renderSection(sorted, report),
    ...renderSection(undecided, report),
    ...renderBeyond(report),
    ...promptLines(report),
    "",
    countLine(report),
    ...renderKept(report),
  ];
}

export function renderHeadline({ policy: { name, system, version }, replayed }: ReplayReport): string {
  return `${replayed.decisions} decisions replayed against ${name} (${system} ${version})`;
}

export function logLines({ logs }: ReplayReport): readonly string[] {
  return logs.map((log) => `${log.name}: ${describeWorth(log)}`);
}

/** Returns how many decisions widened, moved, narrowed, stayed the same, or cannot be decided. */
export function countLine({ replayed }: ReplayReport): string {
  const { decisions, inOrder, same, counts, beyond } = replayed;
  const machine = [...beyond.values()].reduce((sum, count) => sum + count, 0);
  return [
    `${counts.widened} widened, ${counts.moved} moved, ${counts.narrowed} narrowed`,
    `${counts.undecided} cannot be decided`,
    `${same} the same`,
    ...(machine === 0 ? [] : [`${machine} refused by the machine under any page`]),
    ...(inOrder === decisions ? [] : [`${decisions - inOrder} of unverified records`]),
  ].join("; ");
}

/**
 * If the report has more changed or undecided decisions than it lists, returns a line that says so. Otherwise a reader
 * could believe that the lists are complete.
 */
export function renderKept({ replayed: { counts, otherwise, undecided } }: ReplayReport): readonly string[] {
  const all = counts.widened + counts.moved + counts.narrowed;
  const isAll = otherwise.length === all && undecided.length === counts.undecided;
  return isAll ? [] : [`only the first ${MOST_KEPT} of each are listed`];
}

function renderSection(findings: readonly ToldFinding[], report: ReplayReport): readonly string[] {
  return groupFindings(findings).flatMap((group) => ["", ...groupLines(group, report)]);
}

function groupLines(group: FindingGroup, report: ReplayReport): readonly string[] {
  const { finding, before, after, reason, rule } = group.told;
  const { direction, place, tool, recorded } = finding;
  return [
    `${(direction ?? "undecided").padEnd(WIDTH)}${place}: ${tool}`,
    `${UNDER}  ${before}${recorded.rule === "" ? "" : ` (${recorded.rule})`} → ${after}`,
    `${UNDER}  ${direction === undefined ? `cannot be decided, because ${reason}` : reason}`,
    ...(rule === undefined ? [] : [`${UNDER}  ${rule.place}: ${rule.words}`]),
    `${UNDER}  ${renderRecords(group, report)}`,
  ];
}

/** Returns words such as "records 12, 15 and 18, as {…}". */
export function renderRecords({ findings, told }: FindingGroup, { logs }: ReplayReport): string {
  const named = findings.slice(0, MOST_NAMED).map(({ at }) => {
    const log = logs.length === 1 ? "" : `${logs[at.log]?.name}:`;
    return `${log}${at.sequence}${at.isInOrder ? "" : " (unverified)"}`;
  });
  const more = findings.length - named.length;
  const all = `${findings.length === 1 ? "record" : "records"} ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const { arguments: words, isWithheld } = told.finding;
  if (isWithheld) return `${all}, arguments withheld`;
  return words === "" ? all : `${all}, as ${shortenText(words)}`;
}

function shortenText(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text;
}

function renderBeyond({ replayed: { beyond } }: ReplayReport): readonly string[] {
  if (beyond.size === 0) return [];
  const lines = [...beyond].map(([reason, count]) => `${UNDER}  ${reason}${count === 1 ? "" : ` (${count} times)`}`);
  return ["", `${"unchanged".padEnd(WIDTH)}refused by the machine, whatever the page says`, ...lines];
}

function promptLines({ replayed: { prompts } }: ReplayReport): readonly string[] {
  const { days, tools } = prompts;
  if (days.length === 0) return ["", "nobody was asked, and nobody would be"];
  return [
    "",
    ...renderTable(
      "prompts a day",
      days.map((count) => ({ name: count.day ?? "unknown day", ...count })),
    ),
    "",
    ...renderTable(
      "prompts by session and tool",
      tools.map((count) => ({ name: `${count.session}: ${count.tool}`, ...count })),
    ),
  ];
}

interface PromptRow {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly open: number;
}

function renderTable(title: string, rows: readonly PromptRow[]): readonly string[] {
  const width = rows.reduce((widest, { name }) => Math.max(widest, name.length), title.length) + 2;
  const renderRow = (name: string, before: string, after: string, open: string) =>
    `${name.padEnd(width)}${before.padStart(8)}${after.padStart(8)}${open === "" ? "" : `  ${open}`}`;
  return [
    renderRow(title, "before", "after", ""),
    ...rows.map(({ name, before, after, open }) =>
      renderRow(name, String(before), String(after), open === 0 ? "" : `and up to ${open} that cannot be decided`),
    ),
  ];
}
