// Describes the findings of a verification, for people and for programs, and the limits of what it proves.

import { BLOCK_BYTES } from "../../../engine/processes/audit/block.ts";
import { findKeyMismatch, type Verdict } from "../../../engine/processes/audit/verify.ts";
import { convertKnownToJson, explainTrouble, type Finding, sealAsJson, sealLines } from "./finding.ts";
import { encodeHex } from "./record-text.ts";

/**
 * Result of verifying a log. If `isDisk` is true, the log is on a whole disk. Such a disk must contain, behind the log,
 * the key of the next seal.
 */
export type LogFinding = Finding<Verdict> & { readonly isDisk: boolean };

/** Sentences that every verdict contains. They state what a verdict does not prove. */
const LIMITS = [
  "The chain shows what was changed, left out or put in between its records, and the seals that nothing before the newest of",
  "them was changed or cut off by anybody who had the disk later. They do not show that records behind it were changed or cut",
  "off, that the whole disk was put back to an older copy of itself, or that all of it was written anew under another key:",
  "whoever holds the disk can do that. The audit key and a hash, noted elsewhere, show it (--key, --known).",
];

export function logTrouble({ verdict, isDisk, ...noted }: LogFinding): string | undefined {
  const { fault } = verdict;
  const damage = fault && `at byte ${fault.offset}, where record ${fault.sequence} belongs: ${fault.reason}`;
  return explainTrouble(
    {
      damage,
      sealed: verdict.chain.sealed,
      estranged: findKeyMismatch(verdict, isDisk ? "disk" : "file"),
      released: verdict.beyond?.sequence,
    },
    noted,
  );
}

export function renderFinding(finding: LogFinding): readonly string[] {
  const { chain, boots, orphans, torn } = finding.verdict;
  const open = chain.open;
  return [
    `${countRecords(finding.verdict)} records of ${boots} boots, ${countBytes(finding.verdict)} bytes`,
    ...renderReleased(finding),
    `last hash: ${encodeHex(chain.hash)}`,
    ...sealLines(chain.sealed, chain.sequence),
    `orphans: ${orphans.length === 0 ? "none" : `${listSequences(orphans)} were sent, and their effect is unknown`}`,
    ...(open.length === 0 ? [] : [`no outcome so far: ${listSequences(open)}`]),
    ...(torn === 0 ? [] : [`torn tail: ${torn} bytes that were never acknowledged; the next boot wipes them`]),
    ...renderKnown(finding),
    `verdict: ${logTrouble(finding) ?? "in order"}`,
    "",
    ...LIMITS,
  ];
}

const countRecords = ({ chain, beyond }: Verdict): bigint => chain.sequence - (beyond?.sequence ?? 0n);

/** Returns the size in bytes of the records that the log still contains, in whole blocks. */
function countBytes({ chain, beyond, length }: Verdict): number {
  const first = beyond && chain.segments.find(({ sequence }) => sequence === beyond.sequence + 1n);
  return length - Number(first?.place ?? 0n) * BLOCK_BYTES;
}

function renderReleased({ verdict: { beyond }, earlier }: LogFinding): readonly string[] {
  if (beyond === undefined) return [];
  return [
    `released: records 1 to ${beyond.sequence}, the last of the hash ${encodeHex(beyond.hash)}`,
    ...(earlier !== undefined && earlier.fault === undefined ? ["earlier: the log continues the export"] : []),
  ];
}

function renderKnown({ known }: LogFinding): readonly string[] {
  if (known === undefined) return [];
  if (known.sequence === undefined)
    return ["known hash: no record has it; the log was changed or cut off after it was noted"];
  return [`known hash: record ${known.sequence} has it; everything up to there is as it was when it was noted`];
}

/** Lists the sequence numbers, or only the first of them if there are many. */
function listSequences(sequences: readonly bigint[]): string {
  const most = 20;
  const rest = sequences.length > most ? ` … (${sequences.length} in all)` : "";
  return `${sequences.slice(0, most).join(" ")}${rest}`;
}

/** Returns the result of verifying a log, as `capc audit verify --json` prints it. */
export function convertVerdictToJson(finding: LogFinding): object {
  const { chain, boots, orphans, torn, fault, beyond } = finding.verdict;
  return {
    inOrder: logTrouble(finding) === undefined,
    records: countRecords(finding.verdict),
    boots,
    bytes: countBytes(finding.verdict),
    released: beyond === undefined ? null : { sequence: beyond.sequence, hash: encodeHex(beyond.hash) },
    lastHash: encodeHex(chain.hash),
    orphans,
    open: chain.open,
    torn,
    fault: fault ?? null,
    sealed: sealAsJson(chain.sealed),
    estranged: findKeyMismatch(finding.verdict, finding.isDisk ? "disk" : "file") ?? null,
    known: convertKnownToJson(finding),
    limits: LIMITS.join(" "),
  };
}
