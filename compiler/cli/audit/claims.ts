// Judges the claims of a script about the audit log on a data disk. This happens on the host, after the machine is off.

import {
  findKeyMismatch,
  type Verdict as LogVerdict,
  type VerifiedRecord,
  verify,
} from "../../../engine/processes/audit/verify.ts";
import type { AcknowledgedRecord } from "../../machine/chat/acknowledged-record.ts";
import type { AuditEffect } from "../../machine/chat/script.ts";
import type { Verdict } from "../../machine/chat/verdict.ts";
import { ExportJudge, parseJson } from "./exported.ts";
import type { FollowResult } from "./following.ts";
import { isDisk, type LogSource, logIn, useLog } from "./log-source.ts";
import { renderOcsf } from "./ocsf.ts";
import { encodeHex, recordAsJson, renderRecord } from "./record-text.ts";
import { renderFinding } from "./verdict-text.ts";

/** The audit log after a run. */
interface Log {
  readonly verdict: LogVerdict;
  /** Whether the source is a whole disk, which also contains the sealing key, and not only a copy of the log. */
  readonly isDisk: boolean;
  /** The records of the log as `capc audit show` prints them. */
  readonly lines: readonly string[];
  readonly records: readonly VerifiedRecord[];
  /** Hash of each record by its sequence number. */
  readonly hashes: ReadonlyMap<bigint, string>;
}

/** Observations of the log while the machine ran. */
interface SeenOfLog {
  /** Records that the console reported as written to the disk. */
  readonly told: readonly AcknowledgedRecord[];
  /** The records that `capc audit follow` printed, and the reason why it ended. Absent if no claim is about its output. */
  readonly followed?: FollowResult;
}

/**
 * Judges the claims of a chat script about the audit log of a disk. Passes a line with the number of records and the
 * last hash to `show`.
 */
export async function judgeAudit(
  claims: readonly AuditEffect[],
  disk: string,
  seen: SeenOfLog,
  show: (line: string) => void,
): Promise<readonly Verdict[]> {
  if (claims.length === 0) return [];
  const source = logIn(disk);
  if (!source.ok) return claims.map(({ line }) => ({ line, passed: false, words: `the audit log; ${source.reason}` }));
  const log = await readLog(source.value);
  const [count = "", last = ""] = renderFinding({
    verdict: log.verdict,
    known: undefined,
    key: undefined,
    isDisk: log.isDisk,
  });
  show(`audit: ${count}, ${last}`);
  return claims.map((claim) => ({ line: claim.line, ...judgeClaim(claim, log, seen) }));
}

function readLog(source: LogSource): Promise<Log> {
  return useLog(source, (bytes) => {
    const lines: string[] = [];
    const records: VerifiedRecord[] = [];
    const hashes = new Map<bigint, string>();
    const verdict = verify(bytes, (found) => {
      lines.push(renderRecord(found));
      records.push(found);
      hashes.set(found.record.sequence, encodeHex(found.hash));
    });
    return { verdict, isDisk: isDisk(source), lines, records, hashes };
  });
}

function judgeClaim(claim: AuditEffect, log: Log, { told, followed }: SeenOfLog): Omit<Verdict, "line"> {
  switch (claim.kind) {
    case "inOrder": {
      const { fault, boots } = log.verdict;
      const words = "the audit log is in order";
      const estranged = findKeyMismatch(log.verdict, log.isDisk ? "disk" : "file");
      if (estranged !== undefined) return { passed: false, words: `${words}; ${estranged}` };
      // Each start writes a record, so a blank partition is not the log of a machine that ran.
      if (boots === 0 && fault === undefined) return { passed: false, words: `${words}; it has no record` };
      return fault === undefined
        ? { passed: true, words }
        : { passed: false, words: `${words}; record ${fault.sequence}, at byte ${fault.offset}: ${fault.reason}` };
    }
    case "acknowledged":
      return judgeAcknowledged(told, log);
    case "recorded":
      return judgeText(`a record of the audit log with ${JSON.stringify(claim.text)}`, claim.text, log.lines);
    case "unrecorded":
      return judgeLack(claim.text, log);
    case "ocsf":
      return judgeText(`an event of OCSF with ${JSON.stringify(claim.text)}`, claim.text, log.records.map(renderOcsf));
    case "jsonl":
      return judgeExport(claim.text, log);
    case "followed": {
      const words = `who followed the log was told a record with ${JSON.stringify(claim.text)}`;
      if (followed?.wrong !== undefined) return { passed: false, words: `${words}; ${followed.wrong}` };
      return judgeText(words, claim.text, followed?.lines ?? []);
    }
  }
}

function judgeText(words: string, text: string, lines: readonly string[]): Omit<Verdict, "line"> {
  const passed = lines.some((line) => line.includes(text));
  return { passed, words: passed ? words : `${words}; there are\n    | ${lines.join("\n    | ")}` };
}

/**
 * Judges the claim that no record contains a text. The claim fails for a log without records, because it would prove
 * nothing.
 */
function judgeLack(text: string, { lines }: Log): Omit<Verdict, "line"> {
  const words = `no record of the audit log with ${JSON.stringify(text)}`;
  const found = lines.filter((line) => line.includes(text));
  if (lines.length === 0) return { passed: false, words: `${words}; it has no record` };
  return found.length === 0
    ? { passed: true, words }
    : { passed: false, words: `${words}; there are\n    | ${found.join("\n    | ")}` };
}

/** Judges a claim about the exported log. The export must verify up to the last record of the log, without the disk. */
function judgeExport(text: string, { records, verdict }: Log): Omit<Verdict, "line"> {
  const words = `a line of the exported log with ${JSON.stringify(text)}`;
  const judge = new ExportJudge();
  const lines = records.map(recordAsJson);
  for (const line of lines) judge.take(parseJson(line));
  const { fault, last } = judge.verdict;
  if (fault !== undefined) return { passed: false, words: `${words}; line ${fault.line}: ${fault.reason}` };
  if (last !== verdict.chain.sequence) return { passed: false, words: `${words}; it ends with record ${last}` };
  return judgeText(words, text, lines);
}

/**
 * Judges whether the log has all records that the console reported as written to the disk. The claim fails if the
 * console reported no record.
 */
function judgeAcknowledged(told: readonly AcknowledgedRecord[], log: Log): Omit<Verdict, "line"> {
  const words = "every acknowledged record is in the audit log";
  if (told.length === 0) return { passed: false, words: `${words}; the console acknowledged none` };
  const lost = told.filter(({ sequence, hash }) => log.hashes.get(sequence) !== hash);
  return lost.length === 0
    ? { passed: true, words }
    : { passed: false, words: `${words}; not ${lost.map(({ sequence, hash }) => `${sequence} (${hash})`).join(", ")}` };
}
