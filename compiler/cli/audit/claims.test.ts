// Claims of a script about logs that are whole, changed, cut, and not there.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bytesOf, smallLog } from "../../../engine/audit/testing/sample.ts";
import type { Acknowledged } from "../chat/acknowledged.ts";
import type { AuditClaim } from "../chat/claims.ts";
import { makeDataDisk } from "../machine/data-disk.ts";
import { runProgram } from "../machine/programs.ts";
import { judgeAudit } from "./claims.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-claims-"));
afterAll(() => rmSync(folder, { recursive: true }));

const VALID: AuditClaim = { kind: "inOrder" };
const EVERY: AuditClaim = { kind: "acknowledged" };
const WHOLE = bytesOf(smallLog());
const TOLD: readonly Acknowledged[] = smallLog().map(({ hash }, index) => ({
  sequence: BigInt(index + 1),
  hash: Buffer.from(hash).toString("hex"),
}));

/** What fails of the claims about this log, and what is shown. */
function judged(
  log: Uint8Array,
  claims: readonly AuditClaim[],
  told: readonly Acknowledged[] = TOLD,
): { failed: string[]; shown: string[] } {
  const file = join(folder, "audit.log");
  writeFileSync(file, log);
  const shown: string[] = [];
  const placed = claims.map((claim, index) => ({ ...claim, line: index + 1 }));
  const verdicts = judgeAudit(placed, file, told, runProgram, (line) => shown.push(line));
  expect(verdicts).toHaveLength(claims.length);
  return {
    failed: verdicts.filter(({ passed }) => !passed).map(({ line, words }) => `${line}: ${words.split("\n")[0]}`),
    shown,
  };
}

test("a whole log keeps every claim, and its count and last hash are shown", () => {
  const { failed, shown } = judged(WHOLE, [VALID, EVERY, { kind: "recorded", text: "boot of first-agent" }]);
  expect(failed).toEqual([]);
  expect(shown).toEqual([
    `audit: ${TOLD.length} records of 1 boots, ${WHOLE.length} bytes, last hash: ${TOLD.at(-1)?.hash}`,
  ]);
});

test("a changed byte breaks the order, and what was acknowledged behind it is gone", () => {
  const changed = Uint8Array.from(WHOLE, (byte, index) => (index === WHOLE.length - 4 ? byte ^ 1 : byte));
  const { failed } = judged(changed, [VALID, EVERY]);
  expect(failed.some((words) => words.startsWith("2: every acknowledged record is in the audit log; not 5 "))).toBe(
    true,
  );
});

test("a record that was cut off is missed where it was acknowledged, and only there", () => {
  const cut = bytesOf(smallLog().slice(0, -1));
  expect(judged(cut, [VALID, EVERY]).failed).toEqual([
    `2: every acknowledged record is in the audit log; not 5 (${TOLD.at(-1)?.hash})`,
  ]);
  expect(judged(cut, [EVERY], TOLD.slice(0, 2)).failed).toEqual([]);
});

test("a run that acknowledged nothing has failed, and so has a text that no record holds", () => {
  expect(judged(WHOLE, [EVERY], []).failed).toEqual([
    "1: every acknowledged record is in the audit log; the console acknowledged none",
  ]);
  expect(judged(WHOLE, [{ kind: "recorded", text: "notes.burn" }]).failed).toEqual([
    '1: a record of the audit log with "notes.burn"; its records are',
  ]);
});

test("a log that begins with something else is not in order", () => {
  expect(judged(new TextEncoder().encode("no log at all, but long enough to be one"), [VALID]).failed).toHaveLength(1);
});

test("a disk without a log keeps no claim", () => {
  mkdirSync(join(folder, "files"));
  const disk = join(folder, "data.img");
  expect(makeDataDisk(disk, join(folder, "files"))).toMatchObject({ ok: true });
  const verdicts = judgeAudit([{ ...VALID, line: 1 }], disk, TOLD, runProgram, () => {});
  expect(verdicts).toMatchObject([{ passed: false, words: expect.stringContaining("there is no /audit/audit.log") }]);
});

test("where nothing is claimed of a log, none is looked for", () => {
  expect(judgeAudit([], "/nowhere", [], runProgram, () => {})).toEqual([]);
});
