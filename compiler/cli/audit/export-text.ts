// What the judgement of an export found, for people and for programs, and what it cannot find.

import type { ExportVerdict } from "./exported.ts";
import { hexOf } from "./record-text.ts";

export interface ExportFinding {
  readonly verdict: ExportVerdict;
  /** The hash that was noted elsewhere, and the record that has it. */
  readonly known: { readonly hash: string; readonly sequence: bigint | undefined } | undefined;
}

const LIMITS = [
  "Each record has the hash that is named, and names that of the one before. Whoever can write the file can write all of it",
  "anew: only a hash that was noted elsewhere shows that (--known HASH), or the disk itself.",
];

export function isExportInOrder({ verdict, known }: ExportFinding): boolean {
  return verdict.fault === undefined && (known === undefined || known.sequence !== undefined);
}

const countOf = ({ first, last }: ExportVerdict): bigint => (last === 0n ? 0n : last - first + 1n);

export function exportLines(finding: ExportFinding): readonly string[] {
  const { verdict, known } = finding;
  const { first, last, lastHash, previous } = verdict;
  const has = known?.sequence === undefined ? "no record" : `record ${known.sequence}`;
  return [
    `${countOf(verdict)} records${last === 0n ? "" : `, from ${first} to ${last}`}`,
    ...(last === 0n ? [] : [`last hash: ${hexOf(lastHash)}`]),
    ...(first > 1n ? [`before it: record ${first - 1n}, of the hash ${hexOf(previous)}`] : []),
    ...(known === undefined ? [] : [`known hash: ${has} has it`]),
    `verdict: ${verdictOf(finding)}`,
    "",
    ...LIMITS,
  ];
}

function verdictOf(finding: ExportFinding): string {
  const { fault } = finding.verdict;
  if (fault !== undefined) return `DAMAGED in line ${fault.line}: ${fault.reason}`;
  return isExportInOrder(finding) ? "in order" : "IN ORDER, BUT NOT WHAT WAS NOTED";
}

/** For `--json`. */
export function exportAsJson(finding: ExportFinding): object {
  const { first, last, lastHash, previous, fault } = finding.verdict;
  return {
    inOrder: isExportInOrder(finding),
    records: countOf(finding.verdict),
    first,
    last,
    lastHash: hexOf(lastHash),
    previous: hexOf(previous),
    fault: fault ?? null,
    known: finding.known === undefined ? null : { ...finding.known, sequence: finding.known.sequence ?? null },
    limits: LIMITS.join(" "),
  };
}
