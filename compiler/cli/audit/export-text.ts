// Describes the findings about an export, for people and for programs, and the limits of what it proves.

import type { ExportVerdict } from "./exported.ts";
import { convertKnownToJson, explainTrouble, type Finding, sealAsJson, sealLines } from "./finding.ts";
import { encodeHex } from "./record-text.ts";

type ExportFinding = Finding<ExportVerdict>;

const LIMITS = [
  "Each record has the hash that is named, and names that of the one before; in an export from record 1 on each seal is right.",
  "Whoever can write the file can write all of it anew, under another audit key: only that key or a hash, noted elsewhere, shows",
  "it (--key, --known), or the disk itself.",
];

export function exportTrouble({ verdict: { fault, sealed }, ...noted }: ExportFinding): string | undefined {
  return explainTrouble({ damage: fault && `in line ${fault.line}: ${fault.reason}`, sealed }, noted);
}

const countOf = ({ first, last }: ExportVerdict): bigint => (last === 0n ? 0n : last - first + 1n);

export function exportLines(finding: ExportFinding): readonly string[] {
  const { verdict, known } = finding;
  const { first, last, lastHash, previous, sealed } = verdict;
  const has = known?.sequence === undefined ? "no record" : `record ${known.sequence}`;
  return [
    `${countOf(verdict)} records${last === 0n ? "" : `, from ${first} to ${last}`}`,
    ...(last === 0n ? [] : [`last hash: ${encodeHex(lastHash)}`]),
    ...(first === 1n ? sealLines(sealed, last) : []),
    ...(first > 1n ? [`before it: record ${first - 1n}, of the hash ${encodeHex(previous)}`] : []),
    ...(known === undefined ? [] : [`known hash: ${has} has it`]),
    `verdict: ${exportTrouble(finding) ?? "in order"}`,
    "",
    ...LIMITS,
  ];
}

/** Returns the result of verifying an export, as `capc audit verify --json` prints it. */
export function exportAsJson(finding: ExportFinding): object {
  const { first, last, lastHash, previous, fault, sealed } = finding.verdict;
  return {
    inOrder: exportTrouble(finding) === undefined,
    records: countOf(finding.verdict),
    first,
    last,
    lastHash: encodeHex(lastHash),
    previous: encodeHex(previous),
    fault: fault ?? null,
    sealed: sealAsJson(sealed),
    known: convertKnownToJson(finding),
    limits: LIMITS.join(" "),
  };
}
