// Summarizes what a machine did, from its log on a disk or from an export. The log is verified while it is read, and the summary
// begins with the verdict: records after damage are left out, because they cannot be verified.

import { resolve } from "node:path";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { ActivityBuilder, type Criteria, listVisibleTools, RecordFilter } from "../../queries/activity/index.ts";
import { createOutputPaint } from "../colour.ts";
import type { ParsedArguments } from "../command.ts";
import { formatPath } from "../render-findings.ts";
import { CRITERIA_NAMES, type NamedPolicy } from "./criteria.ts";
import { readRecords } from "./records.ts";
import { describeVerification, judgeTrust, renderSummaryJson, type SummaryReport } from "./summary-report.ts";
import { paintLines, renderSummary } from "./summary-text.ts";

/** Maximum number of records of a log. An audit partition has space for about 100,000 records. */
const MOST_RECORDS = 2_000_000;

interface SummaryWish {
  readonly path: string;
  readonly passphrase: string | undefined;
  readonly key: string | undefined;
  readonly criteria: Criteria;
  readonly policy: NamedPolicy | undefined;
}

type SummaryRead =
  | { readonly kind: "read"; readonly report: SummaryReport; readonly unknown: readonly string[] }
  | { readonly kind: "refused"; readonly status: ExitStatus; readonly reason: string };

/** Reads and verifies a log, and summarizes the records that pass the criteria. Throws errors of the operating system. */
export async function readSummary(wish: SummaryWish, typed: ParsedArguments, world: World): Promise<SummaryRead> {
  const { criteria, key, passphrase, path, policy } = wish;
  const filter = new RecordFilter(criteria, policy?.tables);
  const builder = new ActivityBuilder(policy);
  const read = await readRecords(path, { passphrase, key, mostRecords: MOST_RECORDS }, world, (record, chain) => {
    if (chain === "vouched") builder.take(record, (one) => filter.has(one));
  });
  if (read === undefined) return { kind: "refused", status: 3, reason: "interrupted" };
  if (!read.ok) return { kind: "refused", status: 3, reason: read.reason };
  const words = CRITERIA_NAMES.filter((name) => name !== "policy" && typed.values.has(name));
  const report = {
    name: formatPath(path, world),
    log: read.value,
    key,
    activity: builder.build(),
    timeless: filter.timeless,
    criteria: words.map((name) => `--${name} ${typed.values.get(name)}`),
    policy:
      policy === undefined
        ? undefined
        : { name: policy.name, digest: policy.digest, visible: listVisibleTools(policy.tables) },
  };
  return { kind: "read", report, unknown: filter.listUnknown() };
}

/** Prints the summary of a log as `capc audit summary` does, and returns the exit status. */
export async function summarizeLog(
  { name, ...wish }: Omit<SummaryWish, "path"> & { readonly name: string },
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const refuse = (status: ExitStatus, reason: string): ExitStatus => {
    world.report(`capc audit: ${escapeInvisible(reason)}\n`);
    return status;
  };
  const read = await readSummary({ ...wish, path: resolve(world.folder, name) }, typed, world);
  if (read.kind === "refused") return refuse(read.status, read.reason);
  const { report, unknown } = read;
  if (typed.switches.has("json")) world.print(`${renderSummaryJson(report)}\n`);
  else world.print(paintLines(renderSummary(report), createOutputPaint(typed, world)));
  for (const sentence of unknown) refuse(0, sentence);
  return judgeTrust(report) === "not in order" ? refuse(1, describeVerification(report)) : 0;
}
