// What a verification found, for people and for programs, and what it cannot find.

import type { Verdict } from "../../../engine/audit/verify.ts";
import { hexOf } from "./record-text.ts";

/** A verdict together with what was asked besides. */
export interface Finding {
  readonly verdict: Verdict;
  /** The hash that was noted elsewhere, and the record that has it. */
  readonly known: { readonly hash: string; readonly sequence: bigint | undefined } | undefined;
}

/** Part of every verdict: nobody shall take it for more than it is. */
const LIMITS = [
  "The chain shows what was changed, left out or put in between its records. It does not show that whole records were cut",
  "off its end, that its last record was changed, or that all of it was written anew: whoever holds the disk can do that.",
  "Only a hash that was noted elsewhere shows it (--known HASH).",
];

export function isInOrder({ verdict, known }: Finding): boolean {
  return verdict.fault === undefined && (known === undefined || known.sequence !== undefined);
}

export function linesOf(finding: Finding): readonly string[] {
  const { chain, boots, orphans, length, torn } = finding.verdict;
  const open = chain.open;
  return [
    `${chain.sequence} records of ${boots} boots, ${length} bytes`,
    `last hash: ${hexOf(chain.hash)}`,
    `orphans: ${orphans.length === 0 ? "none" : `${listed(orphans)} were sent, and their effect is unknown`}`,
    ...(open.length === 0 ? [] : [`no outcome so far: ${listed(open)}`]),
    ...(torn === 0 ? [] : [`torn tail: ${torn} bytes that were never acknowledged; the next boot wipes them`]),
    ...knownLines(finding),
    `verdict: ${verdictOf(finding)}`,
    "",
    ...LIMITS,
  ];
}

function knownLines({ known }: Finding): readonly string[] {
  if (known === undefined) return [];
  if (known.sequence === undefined)
    return ["known hash: no record has it; the log was changed or cut off after it was noted"];
  return [`known hash: record ${known.sequence} has it; everything up to there is as it was when it was noted`];
}

function verdictOf(finding: Finding): string {
  const { fault } = finding.verdict;
  if (fault !== undefined)
    return `DAMAGED at byte ${fault.offset}, where record ${fault.sequence} belongs: ${fault.reason}`;
  return isInOrder(finding) ? "in order" : "IN ORDER, BUT NOT THE LOG THAT WAS NOTED";
}

/** Sequences, all of them where they are few. */
function listed(sequences: readonly bigint[]): string {
  const most = 20;
  const rest = sequences.length > most ? ` … (${sequences.length} in all)` : "";
  return `${sequences.slice(0, most).join(" ")}${rest}`;
}

/** For `--json`. */
export function verdictAsJson(finding: Finding): object {
  const { chain, boots, orphans, length, torn, fault } = finding.verdict;
  return {
    inOrder: isInOrder(finding),
    records: chain.sequence,
    boots,
    bytes: length,
    lastHash: hexOf(chain.hash),
    orphans,
    open: chain.open,
    torn,
    fault: fault ?? null,
    known: finding.known === undefined ? null : { ...finding.known, sequence: finding.known.sequence ?? null },
    limits: LIMITS.join(" "),
  };
}
