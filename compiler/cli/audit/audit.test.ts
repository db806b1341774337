import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BLOCK_BYTES } from "../../../engine/processes/audit/block.ts";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import {
  bootOf,
  bytesOf,
  callOf,
  intentOf,
  linked,
  outcomeOf,
  sessionOf,
  smallLog,
  stampOf,
} from "../../../engine/processes/audit/testing/sample.ts";
import { encryptDisk } from "../../artefacts/disk/luks-create.ts";
import { makeDataDisk } from "../../machine/data-disk.ts";
import { dispatch } from "../dispatch.ts";
import { createMemoryWorld, runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-test-"));
const log = join(folder, "audit.log");
const disk = join(folder, "data.img");
afterAll(() => rmSync(folder, { recursive: true }));

const LAST_HASH = Buffer.from(smallLog().at(-1)?.hash ?? []).toString("hex");
beforeEach(() => writeFileSync(log, bytesOf(smallLog())));

const say = (...words: string[]) => runCommand(["audit", ...words], { folder });

/** The audit partition of a disk begins after its first MiB. */
const AUDIT_AT = 1024 * 1024;

/** Writes a new data disk whose audit partition contains these bytes. */
function diskWith(bytes: Uint8Array): void {
  const made = makeDataDisk(disk, undefined);
  if (!made.ok) throw new Error(made.reason);
  const file = openSync(disk, "r+");
  writeSync(file, bytes, 0, bytes.length, AUDIT_AT);
  closeSync(file);
}

test("a folder that capc try wrote is accepted in place of its log file; any other folder is refused, and the message says what to name", async () => {
  const tried = join(folder, "tried");
  mkdirSync(tried, { recursive: true });
  writeFileSync(join(tried, ".audit"), bytesOf(smallLog()));
  for (const action of ["show", "verify", "export"])
    expect((await say(action, "tried")).out, action).toBe(
      (await say(action, "tried/.audit")).out.replaceAll("tried/.audit", "tried"),
    );
  expect((await say("summary", "tried")).out).toContain("tried: 5 records");
  mkdirSync(join(folder, "empty"), { recursive: true });
  const { status, err } = await say("show", "empty");
  expect([status, err]).toEqual([
    3,
    expect.stringMatching(/is a directory, not a file, and has no audit log; name the DIR of `capc try --disk DIR`/),
  ]);
});

test("verify of an intact log prints its records, boots, orphans, last hash, and the limits of the check", async () => {
  const { status, out, err } = await say("verify", "audit.log");
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain(`5 records of 1 boots, ${bytesOf(smallLog()).length} bytes\n`);
  expect(out).toContain(`last hash: ${LAST_HASH}\n`);
  expect(out).toContain("orphans: none\nno outcome so far: 5\nverdict: in order\n");
  expect(out).toContain("whoever holds the disk can do that");
});

test("verifies the log on an encrypted disk only with the right passphrase", async () => {
  diskWith(bytesOf(smallLog()));
  const locked = join(folder, "locked.img");
  encryptDisk(disk, Buffer.from("correct horse"), "capos-data", locked);
  writeFileSync(join(folder, "right"), "correct horse\n");
  writeFileSync(join(folder, "wrong"), "wrong horse\n");
  writeFileSync(join(folder, "two"), "correct horse\ncorrect horse\n");
  const { status, out } = await say("verify", "locked.img", "--passphrase-file", "right");
  expect({ status, out }).toEqual({ status: 0, out: expect.stringContaining(`last hash: ${LAST_HASH}\n`) });
  const why = async (...words: string[]) => {
    const { status, err } = await say("show", "locked.img", ...words);
    return [status, err.replaceAll(`${folder}/`, "")];
  };
  expect(await why()).toEqual([3, "capc audit: locked.img is encrypted; --passphrase-file FILE says with what\n"]);
  expect(await why("--passphrase-file", "wrong")).toEqual([3, "capc audit: locked.img: its passphrase is another\n"]);
  expect(await why("--passphrase-file", "none")).toEqual([3, "capc audit: none does not exist\n"]);
  expect(await why("--passphrase-file", "two")).toEqual([
    3,
    "capc audit: two: a passphrase is one line of 1 to 512 bytes\n",
  ]);
});

test("reports an intent as an orphan if it has no outcome and the machine booted again after it", async () => {
  const chain = new Chain();
  const first = linked(chain, bootOf(), stampOf(1, "audit"));
  const intent = linked(chain, intentOf(), stampOf(1, "gate.operator"));
  writeFileSync(log, bytesOf([first, intent, linked(chain, bootOf([2n]), stampOf(2, "audit"))]));
  expect((await say("verify", "audit.log")).out).toContain("orphans: 2 were sent, and their effect is unknown\n");
});

test("a changed byte is reported as damage with its offset, and the exit status is 1", async () => {
  const bytes = Buffer.from(readFileSync(log));
  const [first, second] = smallLog();
  const at = bytesOf([first, second].filter((link) => link !== undefined)).length;
  bytes.write("notes.rEad", bytes.indexOf("notes.read", at));
  writeFileSync(log, bytes);
  const { status, out } = await say("verify", "audit.log");
  expect(status).toBe(1);
  expect(out).toMatch(/verdict: DAMAGED at byte \d+, where record 3 belongs: the checksum of the block is another\n/);
});

test("a last record that was written only in part does not count as damage", async () => {
  truncateSync(log, readFileSync(log).length - BLOCK_BYTES);
  const { status, out } = await say("verify", "audit.log");
  expect(status).toBe(0);
  expect(out).toMatch(
    /torn tail: \d+ bytes that were never acknowledged; the next boot wipes them\nverdict: in order\n/,
  );
});

test("a known hash detects a truncated log, although its hash chain is intact", async () => {
  expect((await say("verify", "audit.log", "--known", LAST_HASH.toUpperCase())).out).toContain("record 5 has it");
  writeFileSync(log, bytesOf(smallLog().slice(0, 3)));
  expect((await say("verify", "audit.log")).status).toBe(0);
  const { status, out } = await say("verify", "audit.log", "--known", LAST_HASH);
  expect(status).toBe(1);
  expect(out).toContain("no record has it; the log was changed or cut off after it was noted\n");
});

test("verify prints its verdict as JSON", async () => {
  const { status, out } = await say("verify", "audit.log", "--json");
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    inOrder: true,
    records: 5,
    boots: 1,
    lastHash: LAST_HASH,
    orphans: [],
    open: [5],
    torn: 0,
    sealed: null,
    estranged: null,
    fault: null,
    known: null,
    limits: expect.stringContaining("whoever holds the disk"),
  });
});

test("reads the audit partition of a data disk and does not change the disk", async () => {
  diskWith(bytesOf(smallLog()));
  const before = readFileSync(disk);
  expect((await say("verify", "data.img")).out).toContain("5 records of 1 boots");
  expect((await say("show", "data.img")).out.trimEnd().split("\n").length).toBe(5);
  expect(readFileSync(disk).equals(before)).toBe(true);
});

test("reads a copy of the partition, with zeros after the log, with the same result as the disk", async () => {
  writeFileSync(log, Buffer.concat([bytesOf(smallLog()), Buffer.alloc(1_000_000)]));
  expect((await say("verify", "audit.log")).out).toContain("5 records of 1 boots");
});

test("ends with status 3 for a damaged partition table, a missing file, a folder and a device", async () => {
  diskWith(bytesOf(smallLog()));
  const bytes = readFileSync(disk);
  bytes[1024] = 1;
  writeFileSync(disk, bytes);
  expect(await say("verify", "data.img")).toMatchObject({
    status: 3,
    err: expect.stringContaining("the table at its start: the checksum of its entries is another"),
  });
  expect(await say("verify", "none")).toMatchObject({ status: 3, err: expect.stringContaining("does not exist") });
  expect(await say("show", ".")).toMatchObject({ status: 3, err: expect.stringContaining("is a directory") });
  expect(await say("show", "/dev/null")).toMatchObject({ status: 3, err: expect.stringContaining("neither a file") });
});

test("reports bytes that are not a log as damaged from byte 0", async () => {
  writeFileSync(log, "what is this?");
  expect(await say("verify", "audit.log")).toMatchObject({
    status: 1,
    out: expect.stringContaining("DAMAGED at byte 0, where record 1 belongs"),
  });
});

test("show prints one line for each record", async () => {
  const { status, out } = await say("show", "audit.log");
  expect(status).toBe(0);
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBe(5);
  expect(lines[0]).toBe(
    "     1  2027-01-15T08:00:00.000Z (rtc) +1.234s  audit  boot of first-agent 1.0.0, policy d1d1d1d1d1d1d1d1",
  );
  expect(lines[1]).toMatch(
    /gate\.operator {2}intent notes\.read \{"path":"todo\.txt"\} \(operator, c1, turn 1, call-1\); auto, rule permit 1$/,
  );
  expect(lines[2]).toMatch(/outcome notes\.read .*; ok, of intent 2, result 0707/);
  expect(lines[3]).toMatch(/gate\.operator {2}session operator: revoked notes$/);
});

test("show prints who was asked for consent, where, and how long the answer took", async () => {
  const chain = new Chain();
  const call = { decision: "consented", principal: "alice", askedMs: 3440, surface: "console" } as const;
  const entries = [bootOf(), intentOf(call)];
  writeFileSync(log, bytesOf(entries.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")))));
  expect((await say("show", "audit.log")).out).toContain(
    "; consented, by alice, rule permit 1, asked for 3.4 s at console\n",
  );
});

test("text from a log cannot end a line or move the cursor", async () => {
  const chain = new Chain();
  const boot = linked(chain, bootOf(), stampOf(1, "audit"));
  const hostile = linked(chain, sessionOf("\n     3  forged \u001b[2J\u202e"), stampOf(1, "gate.operator"));
  writeFileSync(log, bytesOf([boot, hostile]));
  const { out } = await say("show", "audit.log");
  expect(out.trimEnd().split("\n").length).toBe(2);
  expect(out).toContain("‹U+000A›     3  forged ‹U+001B›[2J‹U+202E›");
});

test("a tool name or an argument cannot be mistaken for the gate's decision and the outcome that follow it", async () => {
  const chain = new Chain();
  const feigned =
    'notes.delete {"path":"todo.txt"} (operator, c1, turn 1, call-1); stepUpSucceeded, by alice; ok, of intent 2';
  const { descriptor } = callOf();
  const refused = { decision: "notReached", rule: "", resultHash: new Uint8Array(0) } as const;
  const unknown = { ...refused, outcome: "unknownTool", descriptor: { ...descriptor, name: feigned } } as const;
  const malformed = { ...refused, outcome: "invalidArguments", arguments: `{} (${feigned}` } as const;
  const entries = [bootOf(), outcomeOf(0n, unknown), outcomeOf(0n, malformed)];
  writeFileSync(log, bytesOf(entries.map((entry) => linked(chain, entry, stampOf(1, "gate.operator")))));
  const lines = (await say("show", "audit.log")).out.trimEnd().split("\n");
  expect(lines[1]).toContain(`outcome ${JSON.stringify(feigned)} {"path":"todo.txt"} (operator,`);
  expect(lines[2]).toContain(`outcome notes.read ${JSON.stringify(`{} (${feigned}`)} (operator,`);
});

test("a time outside the calendar is shown as a number of milliseconds", async () => {
  const stamp = { ...stampOf(1, "audit"), wallMs: 0xffff_ffff_ffff_ffffn };
  writeFileSync(log, bytesOf([linked(new Chain(), bootOf(), stamp)]));
  expect((await say("show", "audit.log")).out).toContain("18446744073709551615 ms (rtc)");
});

test("prints records as one JSON value, with bytes as hexadecimal and 64-bit numbers as numbers", async () => {
  const { out } = await say("show", "audit.log", "--json");
  const { records, verdict } = JSON.parse(out);
  expect(verdict).toMatchObject({ inOrder: true, records: 5 });
  expect(records).toHaveLength(5);
  expect(records[2]).toMatchObject({
    sequence: 3,
    writer: "gate.operator",
    bootId: "01".repeat(16),
    entry: { which: "outcome", outcome: { intent: 2, outcome: "ok", resultHash: "07".repeat(32) } },
  });
  writeFileSync(log, "");
  expect(JSON.parse((await say("show", "audit.log", "--json")).out)).toMatchObject({ records: [] });
});

test("show prints the records before the damage and ends with status 1", async () => {
  const links = smallLog();
  writeFileSync(log, bytesOf([...links.slice(0, 2), ...links.slice(3)]));
  const { status, out, err } = await say("show", "audit.log");
  expect({ status, lines: out.trimEnd().split("\n").length }).toEqual({ status: 1, lines: 2 });
  expect(err).toContain("where record 3 belongs: the hash of the record before is another");
  const json = await say("show", "audit.log", "--json");
  expect(JSON.parse(json.out)).toMatchObject({ verdict: { inOrder: false, fault: { sequence: 3 } } });
});

test("shows a long log to its end", async () => {
  const chain = new Chain();
  const links = [linked(chain, bootOf(), stampOf(1, "audit"))];
  for (let call = 0; call < 1500; call += 1) {
    const intent = linked(chain, intentOf(), stampOf(1, "gate.operator"));
    links.push(intent, linked(chain, outcomeOf(intent.record.sequence), stampOf(1, "gate.operator")));
  }
  writeFileSync(log, bytesOf(links));
  expect((await say("show", "audit.log")).out.trimEnd().split("\n").length).toBe(3001);
});

test("Ctrl-C ends a long verification", async () => {
  const interrupted = AbortSignal.abort();
  const world = createMemoryWorld({ folder, interrupted });
  expect(await dispatch(["audit", "verify", "audit.log"], world)).toBe(3);
  expect(world.reported()).toBe("capc audit: interrupted\n");
});

test("an unknown action and options of another action are usage errors", async () => {
  expect((await say("mend", "audit.log")).err).toBe(
    "capc audit: 'mend' is neither verify, show, summary, export, follow, key, digest nor release\n",
  );
  expect((await say("verify")).status).toBe(2);
  expect((await say("verify", "audit.log", "--known", "12")).status).toBe(2);
  expect((await say("show", "audit.log", "--known", LAST_HASH)).status).toBe(2);
  expect((await say("follow", "audit.log", "--json")).err).toBe("capc audit: --json does not go with follow\n");
  expect((await say("verify", "audit.log", "--format", "ocsf")).status).toBe(2);
  expect((await say("export", "audit.log", "--format", "csv")).status).toBe(2);
  expect((await say("export", "audit.log", "--after", "-1")).status).toBe(2);
});
