import type { Activity, VisibleTools } from "../../queries/activity/index.ts";
import { renderKey } from "./finding.ts";
import { renderJson } from "./record-text.ts";
import { convertLogToJson, type LogRead } from "./records.ts";

/** A summary of a log, with everything that its reader must know to trust it. */
export interface SummaryReport {
  /** The log, as the user named it. */
  readonly name: string;
  readonly log: LogRead;
  readonly activity: Activity;
  /** Number of records without a time of day, which a span of time excludes. */
  readonly timeless: number;
  /** Words of the criteria: `--since 7d`; empty if all records count. */
  readonly criteria: readonly string[];
  readonly policy: SummaryPolicy | undefined;
}

interface SummaryPolicy {
  readonly name: string;
  readonly digest: string;
  /** Tools that each session, task and phase shows at its beginning. */
  readonly visible: readonly VisibleTools[];
}

/** Returns how many records of the summary were written under other policy tables than the named ones. */
export function countForeign({ activity, policy }: SummaryReport): number {
  const foreign = activity.policies.filter(({ digest }) => digest !== policy?.digest);
  return policy === undefined ? 0 : foreign.reduce((sum, { records }) => sum + records, 0);
}

/** Returns whether the log is in order, and every line of an export is a record. */
export function isVerified({ trouble, unread }: LogRead): boolean {
  return trouble === undefined && unread === undefined;
}

/** Returns the value for `--json`. */
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

/** Returns in one sentence whether the log was verified, and how far it is sealed. */
export function describeVerification({ trouble, unread, sealed, records }: LogRead): string {
  if (trouble !== undefined) return `NOT VERIFIED: ${trouble}`;
  if (unread !== undefined)
    return `NOT VERIFIED: lines that are not records: ${unread.count}, first line ${unread.line}: ${unread.reason}`;
  const seal = sealed === undefined ? "under no seal" : `sealed up to record ${sealed.sequence}`;
  const key = sealed === undefined ? "" : ` by audit key ${renderKey(sealed)}`;
  return `verified: ${records} records in order, ${seal}${key}`;
}
