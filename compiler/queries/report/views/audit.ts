// Builds the view of an audit log: the activity of a machine under the page.

import type { Activity, Approval, OutcomeGroup } from "../../activity/index.ts";
import { countCalls, formatMinute, formatSeconds, GROUPS } from "../../activity/index.ts";
import type { AuditFacts } from "../subject.ts";

interface AuditView {
  readonly logName: string;
  readonly span: string;
  readonly verification: string;
  readonly tone: "well" | "mind" | "bad";
  readonly notes: readonly string[];
  /** Calls over time; null if no call has a time. */
  readonly timeline: TimelineView | null;
  readonly legend: readonly { readonly group: OutcomeGroup; readonly count: number; readonly words: string }[];
  readonly tools: readonly { readonly tool: string; readonly category: string; readonly counts: readonly number[] }[];
  readonly sessions: readonly SessionView[];
  readonly refusals: Activity["refusals"];
  readonly approvers: readonly Row[];
  readonly approvals: readonly Row[];
  readonly quotas: Activity["quotas"];
  readonly releases: readonly Row[];
  readonly left: Activity["left"];
  readonly models: Activity["models"];
  readonly boots: readonly Row[];
  /** Numbers of rows that the tables omit, in words; empty if no row is omitted. */
  readonly more: readonly string[];
}

type Row = Readonly<Record<string, string | number>>;

interface SessionView {
  readonly session: string;
  readonly who: string;
  readonly conversations: number;
  readonly tasks: string;
  readonly calls: number;
  /** Tools that are advertised to a model in the session, its tasks and its phases, each with its gate. */
  readonly visible: readonly { readonly place: string; readonly tools: string }[];
}

interface TimelineView {
  readonly width: number;
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly height: number;
    readonly group: OutcomeGroup;
  }[];
  readonly first: string;
  readonly last: string;
  /** Sentence that states how much time each bar covers and how many calls the tallest bar shows. */
  readonly scale: string;
}

const WORDS: Readonly<Record<OutcomeGroup, string>> = {
  ok: "done",
  denied: "denied by a person",
  refused: "refused by the policy or the gate",
  failed: "failed, timed out or cancelled",
  unknown: "sent, without an outcome on record",
};
const TONES = { verified: "well", "in order": "mind", "not in order": "bad" } as const;
const MOST = 200;
/** Height of the tallest bar, and distance from one bar to the next, in units of the drawing. */
const HEIGHT = 100;
const STEP = 10;
/**
 * Minimum number of bars for which the drawing has space. So the only bar of a short log is not as wide as the page.
 */
const LEAST_STEPS = 12;

export function buildAuditView({
  activity,
  log: logName,
  verification,
  trust,
  foreign,
  timeless,
  visible,
}: AuditFacts): AuditView {
  const { approvals, approvers, boots, calls, first, last, left, models, quotas, refusals, releases, sessions, tools } =
    activity;
  const lists = { tools, refusals, quotas, releases, "tools with a network": left, models, boots, sessions, approvals };
  return {
    logName,
    span:
      first === null || last === null ? "no record has a time" : `${formatMinute(first)} to ${formatMinute(last)} UTC`,
    verification,
    tone: TONES[trust],
    notes: [
      ...(foreign === 0
        ? []
        : [`${foreign} of ${activity.records} records were written under other policy tables than this page's`]),
      ...(timeless === 0 ? [] : [`${timeless} records without a time of day are left out`]),
    ],
    timeline: buildTimelineView(activity.timeline),
    legend: GROUPS.map((group) => ({ group, count: calls[group], words: WORDS[group] })),
    tools: tools.slice(0, MOST).map(({ calls, category, tool }) => {
      return { tool, category, counts: GROUPS.map((group) => calls[group]) };
    }),
    sessions: sessions.slice(0, MOST).map(({ session, principals, conversations, tasks, calls }) => ({
      session,
      who: principals.length === 0 ? "nobody logged in" : principals.join(", "),
      conversations,
      tasks: tasks.join(", "),
      calls: countCalls(calls),
      visible: visible
        .filter((place) => place.session === session)
        .map(({ phase, task, tools }) => ({
          place: [task, phase].filter((name) => name !== "").join(", phase ") || "outside of tasks",
          tools: tools.length === 0 ? "none" : tools.map(({ mode, tool }) => `${tool} (${mode})`).join(", "),
        })),
    })),
    refusals: refusals.slice(0, MOST),
    approvers: approvers.slice(0, MOST).map((one) => ({
      who: one.principal || "unnamed",
      surface: one.surface || "not on record",
      approved: one.approved,
      denied: one.denied,
      fastest: formatTaken(one.fastestMs),
      median: formatTaken(one.medianMs),
      slowest: formatTaken(one.slowestMs),
    })),
    approvals: approvals.slice(0, MOST).map(describeApproval),
    quotas: quotas.slice(0, MOST),
    releases: releases.slice(0, MOST).map(({ principals, sequence, ...release }) => ({
      ...release,
      who: release.calls === 0 ? "nobody" : principals.join(", ") || "unnamed",
      sequence: String(sequence),
    })),
    left: left.slice(0, MOST),
    models: models.slice(0, MOST),
    boots: boots.slice(-MOST).map(({ orphans, sequence, system, version, wallMs }) => {
      return {
        at: wallMs === null ? "no time" : formatMinute(wallMs),
        system,
        version,
        orphans,
        sequence: String(sequence),
      };
    }),
    more: Object.entries(lists).flatMap(([name, { length }]) =>
      length > MOST ? [`${length - MOST} more ${name}`] : [],
    ),
  };
}

function describeApproval(one: Approval): Row {
  const { askedMs, gate, isApproved, principal, sequence, session, surface, wallMs, what } = one;
  return {
    at: wallMs === null ? "no time" : formatMinute(wallMs),
    what,
    session,
    gate,
    verdict: isApproved ? "approved" : "denied",
    // The field `tone` is the name of a CSS class; the cell shows the text of `verdict`.
    tone: isApproved ? "auto" : "forbidden",
    who: principal || "unnamed",
    took: formatTaken(askedMs),
    surface: surface || "not on record",
    sequence: String(sequence),
  };
}

function buildTimelineView({ from, stepMs, steps }: Activity["timeline"]): TimelineView | null {
  if (steps.length === 0) return null;
  const length = Math.max(steps.length, LEAST_STEPS);
  const most = Math.max(...steps.map(countCalls));
  const bars = steps.flatMap((counts, step) => {
    let y = HEIGHT;
    return GROUPS.flatMap((group) => {
      const height = Math.round((counts[group] / most) * HEIGHT * 100) / 100;
      y = Math.round((y - height) * 100) / 100;
      return height === 0 ? [] : [{ x: step * STEP, y, height, group }];
    });
  });
  return {
    width: length * STEP,
    bars,
    first: formatMinute(from),
    last: formatMinute(from + length * stepMs),
    scale: `Each bar is ${formatStep(stepMs)}; the tallest has ${most} ${most === 1 ? "call" : "calls"}.`,
  };
}

function formatStep(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000} d`;
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : `${ms / 60_000} min`;
}

function formatTaken(ms: number | null): string {
  return ms === null ? "not on record" : formatSeconds(ms);
}
