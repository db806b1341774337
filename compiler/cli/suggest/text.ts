// Prints suggestions for a person at a terminal. Text from records and pages is untrusted: the caller escapes each line.

import { getText, placeOf, type Span } from "../../../lang/text/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { type CellChange, renderDecision } from "../../queries/diff/index.ts";
import type { DayCount, RecordPlace } from "../../queries/replay/index.ts";
import type { Suggestion, UnsuggestedCalls } from "../../queries/suggest/index.ts";
import { describeWorth } from "../audit/records.ts";
import type { NamedLog } from "../replay/report.ts";

export interface SuggestReport {
  readonly policy: string;
  readonly logs: readonly NamedLog[];
  readonly suggestions: readonly Suggestion[];
  readonly left: readonly UnsuggestedCalls[];
  /**
   * For each day, how often the log shows that a person was asked about a call, and how often that would be with all
   * suggestions.
   */
  readonly days: readonly DayCount[];
  /** Returns the span with the path of its file relative to the user's folder. */
  readonly span: (span: Span) => Span;
}

const UNDER = "  ";
const MOST_NAMED = 12;

/** Returns the suggestions as text for people, line by line and without line ends. */
export function suggestLines(report: SuggestReport): readonly string[] {
  const { logs, suggestions, left, days } = report;
  const sum = (of: (count: DayCount) => number) => days.reduce((all, count) => all + of(count), 0);
  return [
    ...logs.map((log) => `${log.name}: ${describeWorth(log)}`),
    ...suggestions.flatMap((one) => ["", ...renderSuggestion(one, report)]),
    ...left.flatMap((one) => ["", ...renderUnsuggested(one, report)]),
    "",
    `${suggestions.length} ${suggestions.length === 1 ? "line is" : "lines are"} suggested for ${report.policy}`,
    `prompts in these logs: ${sum(({ before }) => before)} as it is on record, ${sum(({ after }) => after)} with all of them`,
  ];
}

function renderSuggestion(
  { session, line, edits, records, opens, free }: Suggestion,
  report: SuggestReport,
): readonly string[] {
  return [
    `${session}: ${line}`,
    ...edits.map((edit) => `${UNDER}${renderEdit(edit, report)}`),
    `${UNDER}needed by ${renderRecords(records, report)}`,
    ...(free.length === 0 ? [] : [`${UNDER}whatever ${free.join(" and ")} ${free.length === 1 ? "is" : "are"}`]),
    `${UNDER}it opens`,
    ...opens.flatMap((change) => renderOpened(change).map((text) => `${UNDER}${UNDER}${text}`)),
  ];
}

function renderEdit({ span, replacement }: Suggestion["edits"][number], report: SuggestReport): string {
  const place = placeOf(report.span(span));
  const [before, after] = [getText(span).trim(), replacement.trim()];
  if (before === "") return `${place}: add \`${after}\``;
  return after === "" ? `${place}: take out \`${before}\`` : `${place}: \`${before}\` becomes \`${after}\``;
}

/** Returns the lines about a changed decision: rows with their tools, the decision before and after, and example calls. */
function renderOpened({ at, before, after, widens }: CellChange): readonly string[] {
  const places = at.map(({ place, tools }) => `${formatRowPath(place)}: ${tools.join(", ")}`);
  const renderDeciding = (deciding: CellChange["before"]) =>
    deciding === undefined ? "not there" : renderDecision(deciding);
  const shown = widens.map((call) =>
    call.arguments === undefined
      ? `perhaps ${call.before} → ${call.after}: no example was found, and none can be ruled out`
      : `as ${call.arguments}: ${call.before} → ${call.after}`,
  );
  return [
    ...places,
    `${UNDER}${renderDeciding(before)} → ${renderDeciding(after)}`,
    ...shown.map((text) => `${UNDER}${text}`),
  ];
}

function renderUnsuggested(
  { session, tool, because, records }: UnsuggestedCalls,
  report: SuggestReport,
): readonly string[] {
  return [
    `${session}: ${tool}: nothing is suggested, because ${because}`,
    ...(records.length === 0 ? [] : [`${UNDER}${renderRecords(records, report)}`]),
  ];
}

function renderRecords(records: readonly RecordPlace[], { logs }: SuggestReport): string {
  const named = records
    .slice(0, MOST_NAMED)
    .map(({ log, sequence }) => `${logs.length === 1 ? "" : `${logs[log]?.name}:`}${sequence}`);
  const more = records.length - named.length;
  return `${records.length === 1 ? "record" : "records"} ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
