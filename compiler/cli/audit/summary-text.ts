// Prints a summary of a log as a screen of 80 columns. Text of records is untrusted: each line is escaped before it is coloured.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import {
  type Activity,
  type Approval,
  countCalls,
  formatMinute,
  formatSeconds,
  GROUPS,
  type OutcomeCounts,
  type VisibleTools,
} from "../../queries/activity/index.ts";
import type { Paint } from "../colour.ts";
import { formatBytes, type Line, makeSection, renderNamed, WIDTH } from "../plan/layout.ts";
import { wrap } from "../wrapping.ts";
import { countForeign, describeVerification, judgeTrust, type SummaryReport } from "./summary-report.ts";

/** Maximum number of entries of one table; `--json` prints all entries. */
const MOST_ROWS = 15;
const MOST_APPROVALS = 8;
const MOST_WORD = 24;
const NUMBER_WIDTH = 8;
const TEXT_WIDTH = WIDTH - 2;
const COLOURS = { verified: "narrowed", "in order": "moved", "not in order": "widened" } as const;

export function renderSummary(report: SummaryReport): readonly Line[] {
  const { activity } = report;
  return [
    ...renderWrapped(describeSpan(report), "strong"),
    ...renderWrapped(describeVerification(report), COLOURS[judgeTrust(report)]),
    ...describePolicy(report).flatMap((text) => renderWrapped(text, "quiet")),
    ...describeWithheld(report).flatMap((text) => renderWrapped(text, "quiet")),
    ...(activity.records === 0 ? renderWrapped(describeNothing(report)) : renderActivity(report)),
  ];
}

function renderActivity({ activity, policy }: SummaryReport): readonly Line[] {
  const { approvals, approvers, boots, calls, events, left, models, quotas, refusals, releases, sessions, tools } =
    activity;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["Who", renderRows(sessions.map(renderSession))],
    [
      `Calls: ${countCalls(calls)}`,
      renderCounts(
        "tool",
        tools.map((one) => [one.tool, one.calls] as const),
      ),
    ],
    ["Calls not done, by reason", renderRows(refusals.map(renderRefusal))],
    [
      "Approvals",
      [...renderRows(approvers.map(renderApprover)), ...approvals.slice(0, MOST_APPROVALS).flatMap(renderApproval)],
    ],
    ["Quotas that refused", renderRows(quotas.map(renderQuota))],
    ["Label releases", renderRows(releases.map(renderRelease))],
    ["Data that left through tools", renderRows(left.map(renderDeparture))],
    ["Messages to models", renderRows(models.map(renderModel))],
    ["Other events", renderRows(events.map(renderEvent))],
    ["Starts of the machine", renderRows(boots.map(renderBoot).reverse())],
    ["Tools that were visible", renderVisible(policy?.visible, activity)],
  ];
  const empty = parts.filter(([, rows]) => rows.length === 0).map(([title]) => title.replace(/: 0$/, "").toLowerCase());
  return [
    ...parts.flatMap(([title, rows]) => (rows.length === 0 ? [] : makeSection(title, rows))),
    ...(empty.length === 0 ? [] : [{ text: "" }, ...renderWrapped(`Nothing on record: ${empty.join("; ")}`, "quiet")]),
  ];
}

function renderWrapped(text: string, colour?: Line["colour"]): readonly Line[] {
  return wrap(text, WIDTH).map((row) => ({ text: row, ...(colour === undefined ? {} : { colour }) }));
}

function describeSpan({ activity, criteria, name }: SummaryReport): string {
  const { first, last, records } = activity;
  const span =
    first === null || last === null ? "without times" : `${formatMinute(first)} to ${formatMinute(last)} UTC`;
  const selected = criteria.length === 0 ? "" : `, ${criteria.join(" ")}`;
  return `${name}${selected}: ${records} records, ${span} by the machine's clock`;
}

function describePolicy(report: SummaryReport): readonly string[] {
  const { policy, timeless } = report;
  const foreign = countForeign(report);
  const other = foreign === 0 ? "" : `, but ${foreign} records were written under other policy tables`;
  return [
    ...(policy === undefined ? [] : [`names and visible tools of ${policy.name}${other}`]),
    ...(timeless === 0 ? [] : [`${timeless} records without a time of day are left out`]),
  ];
}

function describeWithheld({ activity: { withheld } }: SummaryReport): readonly string[] {
  return withheld === 0
    ? []
    : [`text withheld by the page in ${pluralize(withheld, "call")}: the log has only digests`];
}

function describeNothing({ log }: SummaryReport): string {
  return log.records === 0 ? "the log has no records" : "no record of the log matches";
}

/** Returns the rows of the first `MOST_ROWS` entries of a list, and a row with the number of the other entries. */
function renderRows(rows: readonly (readonly string[])[]): string[] {
  const more = rows.length > MOST_ROWS ? [`and ${rows.length - MOST_ROWS} more: --json has them`] : [];
  return [...rows.slice(0, MOST_ROWS).flat(), ...more];
}

/** Returns a table of counts by outcome. A name that is too long for its column is on a row above its counts. */
function renderCounts(title: string, rows: readonly (readonly [string, OutcomeCounts])[]): string[] {
  if (rows.length === 0) return [];
  const room = TEXT_WIDTH - NUMBER_WIDTH * GROUPS.length;
  const width = Math.min(room, Math.max(title.length, ...rows.map(([name]) => name.length)) + 1);
  const format = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(NUMBER_WIDTH)).join("")}`;
  const shown = rows.slice(0, MOST_ROWS).flatMap(([name, counts]) => {
    const cells = GROUPS.map((group) => (counts[group] === 0 ? "·" : String(counts[group])));
    return name.length < width ? [format(name, cells)] : [...wrap(name, TEXT_WIDTH), format("", cells)];
  });
  const more = rows.length > MOST_ROWS ? [`and ${rows.length - MOST_ROWS} more: --json has them`] : [];
  return [format(title, GROUPS), ...shown, ...more];
}

function renderSession({ session, principals, conversations, tasks, calls }: Activity["sessions"][number]): string[] {
  const who = principals.length === 0 ? "nobody logged in" : principals.join(", ");
  const inTasks = tasks.length === 0 ? "" : `, tasks ${tasks.join(", ")}`;
  return renderNamed(
    session,
    `${who}; ${pluralize(conversations, "conversation")}${inTasks}, ${pluralize(countCalls(calls), "call")}`,
  );
}

function renderRefusal({ count, outcome, reason, sequence, tools }: Activity["refusals"][number]): string[] {
  return renderNamed(
    pluralize(count, "time"),
    `${outcome}: ${reason} (${tools.join(", ")}; newest record ${sequence})`,
  );
}

function renderApprover(approver: Activity["approvers"][number]): string[] {
  const { approved, denied, fastestMs, medianMs, principal, slowestMs, surface } = approver;
  const who = principal === "" ? "unnamed" : principal;
  const at = surface === "" ? "surface not on record" : `at ${surface}`;
  const times =
    fastestMs === null || medianMs === null || slowestMs === null
      ? "times not on record"
      : `answered within ${formatSeconds(fastestMs)} to ${formatSeconds(slowestMs)}, median ${formatSeconds(medianMs)}`;
  return renderNamed(who, `${at}: ${approved} approved, ${denied} denied; ${times}`);
}

function renderApproval({ askedMs, gate, isApproved, principal, sequence, surface, wallMs, what }: Approval): string[] {
  const who = principal === "" ? "" : ` by ${principal}`;
  const took = askedMs === null ? "" : ` after ${formatSeconds(askedMs)}`;
  const at = surface === "" ? "" : ` at ${surface}`;
  const time = wallMs === null ? "no time" : formatMinute(wallMs);
  const rows = wrap(
    `${time}  ${what} ${isApproved ? "approved" : "denied"} (${gate})${who}${took}${at}, record ${sequence}`,
    TEXT_WIDTH,
  );
  return rows.map((row, index) => (index === 0 ? row : `  ${row}`));
}

function renderQuota({ quota, refused, session }: Activity["quotas"][number]): string[] {
  return renderNamed(session, `${pluralize(refused, "call")}: ${quota}`);
}

function renderRelease(release: Activity["releases"][number]): string[] {
  const { act, attempts, calls, from, principals, rule, sequence, to, tool } = release;
  const by =
    calls === 0 ? "" : `, approved by ${principals.length === 0 ? "an unnamed person" : principals.join(", ")}`;
  const words = `${calls} of ${pluralize(attempts, "call")} sent${by}: ${act} from ${from} to ${to}`;
  return renderNamed(tool, `${words}, rule ${rule} (newest record ${sequence})`);
}

function renderDeparture(departure: Activity["left"][number]): string[] {
  const { argumentBytes, attempts, calls, origins, tool, unsure, withheld } = departure;
  const to = origins.length === 0 ? "" : ` to ${origins.join(", ")}`;
  const unknown = withheld === 0 ? "" : `, and ${pluralize(withheld, "call")} whose arguments are withheld`;
  const doubt = unsure === 0 ? "" : `, ${unsure} that did not end well and may have sent data`;
  const ran = `${pluralize(calls, "call")}, ${formatBytes(argumentBytes)} of arguments${unknown}${to}`;
  return renderNamed(tool, `${ran}; ${attempts} attempted${doubt}`);
}

function renderModel(counted: Activity["models"][number]): string[] {
  const { answers, backend, bytes, masked, model, origins, outputTokens, promptTokens } = counted;
  const to = origins.length === 0 ? "" : ` at ${origins.join(", ")}`;
  const hidden = masked === 0 ? "" : `, ${pluralize(masked, "place")} masked`;
  const words = `${shortenWord(model)}${to}: ${pluralize(answers, "answer")}, ${formatBytes(bytes)} of messages${hidden}`;
  return renderNamed(backend, `${words}, ${promptTokens} tokens read, ${outputTokens} written`);
}

function renderEvent({ count, event, session }: Activity["events"][number]): string[] {
  return renderNamed(session, count === 1 ? event : `${event}, ${count} times`);
}

function renderBoot({ orphans, sequence, system, version, wallMs }: Activity["boots"][number]): string[] {
  const open = orphans === 0 ? "" : `, the effect of ${pluralize(orphans, "call")} is unknown`;
  const time = wallMs === null ? "no time" : formatMinute(wallMs);
  return wrap(`${time}  ${system} ${version}${open}, record ${sequence}`, TEXT_WIDTH);
}

function renderVisible(visible: readonly VisibleTools[] | undefined, { sessions }: Activity): string[] {
  if (visible === undefined) {
    const called = sessions.flatMap(({ session, called }) =>
      renderNamed(session, called.join(", ") || "none was called"),
    );
    return [
      ...called,
      ...wrap("only called tools are on record; --policy PAGE lists all that the page shows", TEXT_WIDTH),
    ];
  }
  return visible.flatMap(({ phase, session, task, tools }) => {
    const place = [session, task, phase].filter((name) => name !== "").join(".");
    const names = [...Map.groupBy(tools, ({ mode }) => mode)].map(
      ([mode, of]) => `${mode}: ${of.map(({ tool }) => tool).join(", ")}`,
    );
    return renderNamed(place, names.length === 0 ? "none" : names.join("; "));
  });
}

/** Shortens a word that is too long for a row, such as the digest in a model's name. */
function shortenWord(word: string): string {
  return word.length > MOST_WORD ? `${word.slice(0, MOST_WORD)}…` : word;
}

function pluralize(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

/** Returns the lines in colour, each escaped before it is coloured. */
export function paintLines(lines: readonly Line[], paint: Paint): string {
  return lines
    .map(({ text, colour }) => {
      const safe = escapeInvisible(text.trimEnd());
      return `${colour === undefined ? safe : paint[colour](safe)}\n`;
    })
    .join("");
}
