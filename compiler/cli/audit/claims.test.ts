// Tests of a script's claims about intact, changed, truncated and missing logs.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bytesOf, smallLog } from "../../../engine/processes/audit/testing/sample.ts";
import type { AcknowledgedRecord } from "../../machine/chat/acknowledged-record.ts";
import type { AuditClaim } from "../../machine/chat/claims.ts";
import { makeDataDisk } from "../../machine/data-disk.ts";
import { judgeAudit } from "./claims.ts";
import { type FollowResult, startFollowing } from "./following.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-claims-"));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID: AuditClaim = { kind: "inOrder" };
const EVERY: AuditClaim = { kind: "acknowledged" };
const WHOLE = bytesOf(smallLog());
const TOLD: readonly AcknowledgedRecord[] = smallLog().map(({ hash }, index) => ({
  sequence: BigInt(index + 1),
  hash: Buffer.from(hash).toString("hex"),
}));

/** Checks claims of a chat script about this log. Returns the claims that fail, and the output of the check. */
async function judged(
  log: Uint8Array,
  claims: readonly AuditClaim[],
  told: readonly AcknowledgedRecord[] = TOLD,
  followed?: FollowResult,
): Promise<{ failed: string[]; shown: string[] }> {
  const file = join(folder, "audit.log");
  writeFileSync(file, log);
  const shown: string[] = [];
  const seen = { told, ...(followed === undefined ? {} : { followed }) };
  const placed = claims.map((claim, index) => ({ ...claim, line: index + 1 }));
  const verdicts = await judgeAudit(placed, file, seen, (line) => shown.push(line));
  expect(verdicts).toHaveLength(claims.length);
  return {
    failed: verdicts.filter(({ passed }) => !passed).map(({ line, words }) => `${line}: ${words.split("\n")[0]}`),
    shown,
  };
}

test("an intact log meets the claims of a script about it, and its record count and last hash are shown", async () => {
  const { failed, shown } = await judged(WHOLE, [VALID, EVERY, { kind: "recorded", text: "boot of first-agent" }]);
  expect(failed).toEqual([]);
  expect(shown).toEqual([
    `audit: ${TOLD.length} records of 1 boots, ${WHOLE.length} bytes, last hash: ${TOLD.at(-1)?.hash}`,
  ]);
});

test("a changed byte in the last record fails the claim about acknowledged records", async () => {
  const changed = Uint8Array.from(WHOLE, (byte, index) => (index === WHOLE.length - 4 ? byte ^ 1 : byte));
  const { failed } = await judged(changed, [VALID, EVERY]);
  expect(failed.some((words) => words.startsWith("2: every acknowledged record is in the audit log; not 5 "))).toBe(
    true,
  );
});

test("reports a truncated record as missing only if it was acknowledged", async () => {
  const cut = bytesOf(smallLog().slice(0, -1));
  expect((await judged(cut, [VALID, EVERY])).failed).toEqual([
    `2: every acknowledged record is in the audit log; not 5 (${TOLD.at(-1)?.hash})`,
  ]);
  expect((await judged(cut, [EVERY], TOLD.slice(0, 2))).failed).toEqual([]);
});

test("the claim about acknowledged records fails if there are none, and the claim that a text is recorded fails if no record contains the text", async () => {
  expect((await judged(WHOLE, [EVERY], [])).failed).toEqual([
    "1: every acknowledged record is in the audit log; the console acknowledged none",
  ]);
  expect((await judged(WHOLE, [{ kind: "recorded", text: "notes.burn" }])).failed).toEqual([
    '1: a record of the audit log with "notes.burn"; there are',
  ]);
});

test("the claim that no record contains a text fails on a log without records", async () => {
  const lacked = (text: string): AuditClaim => ({ kind: "unrecorded", text });
  expect((await judged(WHOLE, [lacked("notes.burn")])).failed).toEqual([]);
  expect((await judged(WHOLE, [lacked("boot of")])).failed).toEqual([
    '1: no record of the audit log with "boot of"; there are',
  ]);
  expect((await judged(new Uint8Array(512), [lacked("boot of")])).failed).toEqual([
    '1: no record of the audit log with "boot of"; it has no record',
  ]);
});

test("a claim about an export holds if a line of the export contains the text of the claim", async () => {
  const claims: readonly AuditClaim[] = [
    { kind: "jsonl", text: '"which":"boot"' },
    { kind: "ocsf", text: '"class_uid":6003' },
  ];
  expect((await judged(WHOLE, claims)).failed).toEqual([]);
  const absent = claims.map(({ kind }) => ({ kind, text: "notes.burn" }) as AuditClaim);
  expect((await judged(WHOLE, absent)).failed).toEqual([
    '1: a line of the exported log with "notes.burn"; there are',
    '2: an event of OCSF with "notes.burn"; there are',
  ]);
  const booted = bytesOf(smallLog().slice(0, 1));
  expect((await judged(booted, claims)).failed).toEqual([expect.stringMatching(/^2: an event of OCSF/)]);
});

test("`capc audit follow` receives each record, and claims about its output fail if it did not run", async () => {
  const claim: AuditClaim = { kind: "followed", text: "boot of first-agent" };
  const words = '1: who followed the log was told a record with "boot of first-agent"; ';
  expect((await judged(WHOLE, [claim])).failed).toEqual([`${words}there are`]);
  const file = join(folder, "growing.log");
  writeFileSync(file, WHOLE);
  const whole = startFollowing(file, undefined);
  const told = await whole();
  expect(told.lines.length).toBe(TOLD.length);
  expect((await judged(WHOLE, [claim], TOLD, told)).failed).toEqual([]);
  const none = await startFollowing(join(folder, "nowhere.log"), undefined)();
  expect((await judged(WHOLE, [claim], TOLD, none)).failed).toEqual([expect.stringContaining("does not exist")]);
});

test("a log that does not begin with a record is not in order", async () => {
  const words = new TextEncoder().encode("no log at all, but long enough to be one");
  expect((await judged(words, [VALID])).failed).toHaveLength(1);
});

test("a disk without an audit record fails the claim that its log is in order", async () => {
  mkdirSync(join(folder, "files"));
  const disk = join(folder, "data.img");
  expect(makeDataDisk(disk, join(folder, "files"))).toMatchObject({ ok: true });
  const verdicts = await judgeAudit([{ ...VALID, line: 1 }], disk, { told: TOLD }, () => {});
  expect(verdicts).toMatchObject([{ passed: false, words: "the audit log is in order; it has no record" }]);
});

test("a script without claims about the log does not open it", async () => {
  expect(await judgeAudit([], "/nowhere", { told: [] }, () => {})).toEqual([]);
});
