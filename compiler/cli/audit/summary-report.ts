import type { Activity, VisibleTools } from "../../queries/activity/index.ts";
import type { Trust } from "../../queries/report/index.ts";
import { renderKey } from "./finding.ts";
import { renderJson } from "./record-text.ts";
import { convertLogToJson, type LogRead } from "./records.ts";

/** A summary of a log, with everything that its reader must know to trust it. */
export interface SummaryReport {
  /** Name of the log, as the user gave it. */
  readonly name: string;
  readonly log: LogRead;
  /**
   * The audit key that the user noted; `undefined` if the user named none. A log that another key signed is not in
   * order.
   */
  readonly key: string | undefined;
  readonly activity: Activity;
  /** Number of records that `--since` or `--until` excludes because they have no time of day. */
  readonly timeless: number;
  /** The criteria as typed, such as `--since 7d`; empty if all records count. */
  readonly criteria: readonly string[];
  readonly policy: SummaryPolicy | undefined;
}

interface SummaryPolicy {
  readonly name: string;
  readonly digest: string;
  /** Tools that the model sees at the beginning of each session, task and phase. */
  readonly visible: readonly VisibleTools[];
}

/** Returns how many records of the summary were written under other policy tables than those that `--policy` names. */
export function countForeign({ activity, policy }: SummaryReport): number {
  const foreign = activity.policies.filter(({ digest }) => digest !== policy?.digest);
  return policy === undefined ? 0 : foreign.reduce((sum, { records }) => sum + records, 0);
}

/** Returns the JSON text that `capc audit summary --json` prints. */
export function renderSummaryJson(report: SummaryReport): string {
  const { name, log, activity, timeless, criteria, policy } = report;
  return renderJson(
    {
      log: convertLogToJson({ name, ...log }),
      criteria,
      timeless,
      policy: policy === undefined ? null : { ...policy, otherRecords: countForeign(report) },
      activity,
    },
    2,
  );
}

/** Returns how far the log can be trusted. A line of an export that is not a record is damage, too. */
export function judgeTrust({ log, key }: Pick<SummaryReport, "log" | "key">): Trust {
  if (log.trouble !== undefined) return "not in order";
  return key === undefined ? "in order" : "verified";
}

/**
 * Returns in one sentence how far the log can be trusted. If no key was noted, a log that was rewritten as a whole also
 * counts as in order.
 */
export function describeVerification({ log, key }: Pick<SummaryReport, "log" | "key">): string {
  const { trouble, sealed, records } = log;
  if (trouble !== undefined) return `NOT VERIFIED: ${trouble}`;
  const head = key === undefined ? "in order, but compared with no noted key (--key)" : "verified under the noted key";
  return `${head}: ${records} records, ${describeSeal(log)}${sealed === undefined ? "" : `; audit key ${renderKey(sealed)}`}`;
}

function describeSeal({ sealed, first, last }: LogRead): string {
  if (first > 1n) return `whose seals cannot be verified, because the export begins with record ${first}`;
  if (sealed === undefined) return "under no seal";
  const behind = last - sealed.sequence;
  return `sealed up to record ${sealed.sequence}${behind === 0n ? "" : `; ${behind} records behind it are under no seal yet`}`;
}
