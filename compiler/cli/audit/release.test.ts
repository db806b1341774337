// Tests the release of exported records on a whole data disk, from the export to the next start of the audit.

import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Result } from "../../../engine/lib/result/result.ts";
import { BLOCK_BYTES } from "../../../engine/processes/audit/block.ts";
import { openStore } from "../../../engine/processes/audit/opening.ts";
import type { Store } from "../../../engine/processes/audit/store.ts";
import { FailingDisk } from "../../../engine/processes/audit/testing/disk.ts";
import { createBoot, sessionOf } from "../../../engine/processes/audit/testing/sample.ts";
import { readPartition } from "../../artefacts/disk/image.ts";
import { encryptDisk } from "../../artefacts/disk/luks-create.ts";
import { makeDataDisk, NAME } from "../../machine/data-disk.ts";
import { runCommand } from "../memory-world.ts";
import { OcsfEvents } from "./ocsf-record.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-release-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const say = (...words: string[]) => runCommand(["audit", ...words], { folder });

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

/** Starts the audit on the partition of a disk, runs `work`, and writes the partition back. */
async function startAudit(name: string, boot: number, work: (store: Store) => Promise<void>): Promise<void> {
  const { offset, size } = take(readPartition(path(name), "audit", "audit partition"));
  const disk = new FailingDisk(size);
  disk.bytes.set(readFileSync(path(name)).subarray(offset, offset + size));
  const made = createBoot(boot);
  const store = take(await openStore(disk.plugged(), made, { keep: "untilExported" }));
  await work(store);
  await store.close();
  const file = openSync(path(name), "r+");
  writeSync(file, disk.bytes, 0, size, offset);
  closeSync(file);
}

/** Appends large records until the log is full. */
async function fill(store: Store): Promise<void> {
  while (store.refusal === undefined) await store.append("gate.operator", sessionOf("x".repeat(100_000)));
}

async function makeFullDisk(name: string): Promise<void> {
  take(makeDataDisk(path(name), undefined));
  await startAudit(name, 1, fill);
}

async function exportLog(name: string, to: string, ...options: string[]): Promise<void> {
  const { status, out } = await say("export", name, ...options);
  expect(status).toBe(0);
  writeFileSync(path(to), out);
}

test("a full log continues after an export, and `verify` then needs the export to check the log from its beginning", async () => {
  await makeFullDisk("data.img");
  await exportLog("data.img", "log.jsonl");
  const { out: key } = await say("key", "data.img");
  const released = await say("release", "data.img", "--exported", "log.jsonl");
  expect(released).toMatchObject({ status: 0, out: expect.stringContaining("you have all records up to ") });
  // Nothing is released before the machine starts again.
  expect((await say("verify", "data.img")).out).not.toContain("released: ");
  await startAudit("data.img", 2, async (store) => {
    expect(store.refusal).toBeUndefined();
    expect(await store.append("gate.operator", sessionOf("again"))).toMatchObject({ ok: true });
  });
  const { status, out } = await say("verify", "data.img");
  expect({ status, out }).toMatchObject({ status: 0, out: expect.stringMatching(/\nreleased: records 1 to \d+, /) });
  const claim = ["verify", "data.img", "--key", key.trim()];
  const alone = await say(...claim);
  expect(alone).toMatchObject({
    status: 1,
    out: expect.stringContaining("BUT NOT FROM ITS BEGINNING: records up to "),
  });
  const joined = await say(...claim, "--earlier", "log.jsonl");
  expect(joined).toMatchObject({ status: 0, out: expect.stringContaining("earlier: the log continues the export\n") });
  expect(JSON.parse((await say("verify", "data.img", "--json")).out)).toMatchObject({
    inOrder: true,
    released: { sequence: expect.any(Number) },
  });
  const hash = /released: .*hash ([0-9a-f]{64})/.exec(out)?.[1] ?? "";
  expect(readFileSync(path("log.jsonl"), "utf8")).toContain(`"hash":"${hash}"`);
});

test("an OCSF export has the same records as an export in JSON, also of a log with checkpoints and released records", async () => {
  const compare = async (disk: string): Promise<string> => {
    await exportLog(disk, "log.jsonl");
    await exportLog(disk, "log.ocsf", "--format", "ocsf");
    const [lines, events] = ["log.jsonl", "log.ocsf"].map((name) =>
      readFileSync(path(name), "utf8").trim().split("\n"),
    );
    const restored = new OcsfEvents();
    const whole = (lines ?? []).map((line) => JSON.parse(line));
    expect(whole).toMatchObject((events ?? []).map((line) => restored.restoreLine(JSON.parse(line)) ?? {}));
    return (lines ?? []).join("\n");
  };
  await makeFullDisk("both.img");
  expect(await compare("both.img")).toContain('"which":"checkpoint"');
  await say("release", "both.img", "--exported", "log.jsonl");
  await startAudit("both.img", 2, async (store) => {
    expect(await store.append("gate.operator", sessionOf("again"))).toMatchObject({ ok: true });
  });
  expect(await compare("both.img")).toContain('"which":"released"');
});

test("release refuses an export of another log, a damaged export, and an export that lacks records of the first segment", async () => {
  await makeFullDisk("one.img");
  await makeFullDisk("other.img");
  await exportLog("one.img", "one.jsonl");
  const why = async (name: string) => {
    const { status, err } = await say("release", "one.img", "--exported", name);
    return [status, err];
  };
  await exportLog("other.img", "other.jsonl");
  expect(await why("other.jsonl")).toEqual([
    1,
    expect.stringContaining("other.jsonl does not contain the first segment of this log, up to record "),
  ]);
  await exportLog("one.img", "late.jsonl", "--after", "3");
  expect(await why("late.jsonl")).toEqual([
    1,
    expect.stringContaining("late.jsonl begins at record 4, and the log at record 1"),
  ]);
  const lines = readFileSync(path("one.jsonl"), "utf8").split("\n");
  writeFileSync(path("short.jsonl"), `${lines.slice(0, 3).join("\n")}\n`);
  expect(await why("short.jsonl")).toEqual([1, expect.stringContaining("does not contain the first segment")]);
  writeFileSync(path("spoiled.jsonl"), `${lines.slice(0, 3).join("\n").replace("xxx", "xyx")}\n`);
  expect(await why("spoiled.jsonl")).toEqual([1, expect.stringMatching(/is damaged in line \d/)]);
  writeFileSync(path("words"), "words\n");
  expect(await why("words")).toEqual([3, "capc audit: words is not a jsonl export\n"]);
  expect(await say("release", "one.img")).toMatchObject({ status: 2, err: expect.stringContaining("--exported FILE") });
  // The refused commands wrote no release block to the disk.
  const { offset, size } = take(readPartition(path("one.img"), "audit", "audit partition"));
  const block = readFileSync(path("one.img")).subarray(offset + size - 2 * BLOCK_BYTES, offset + size - BLOCK_BYTES);
  expect(block.every((byte) => byte === 0)).toBe(true);
});

test("release refuses a log with only one segment, and a copy of a partition", async () => {
  take(makeDataDisk(path("new.img"), undefined));
  await startAudit("new.img", 1, async () => {});
  await exportLog("new.img", "new.jsonl");
  expect(await say("release", "new.img", "--exported", "new.jsonl")).toMatchObject({
    status: 1,
    err: expect.stringContaining("the log has no old segment yet"),
  });
  const { offset, size } = take(readPartition(path("new.img"), "audit", "audit partition"));
  writeFileSync(path("copy"), readFileSync(path("new.img")).subarray(offset, offset + size));
  expect(await say("release", "copy", "--exported", "new.jsonl")).toMatchObject({
    status: 1,
    err: expect.stringContaining("name the data disk"),
  });
});

test("release on an encrypted disk does not change the log, and writes no unencrypted block", async () => {
  await makeFullDisk("plain.img");
  encryptDisk(path("plain.img"), Buffer.from("a passphrase"), NAME, path("locked.img"));
  writeFileSync(path("phrase"), "a passphrase\n");
  const options = ["--passphrase-file", "phrase"];
  const { status, out } = await say("export", "locked.img", ...options);
  expect(status).toBe(0);
  writeFileSync(path("locked.jsonl"), out);
  const before = await say("verify", "locked.img", ...options);
  expect(await say("release", "locked.img", "--exported", "locked.jsonl", ...options)).toMatchObject({ status: 0 });
  expect(await say("verify", "locked.img", ...options)).toEqual(before);
  expect(readFileSync(path("locked.img")).includes("cAr1")).toBe(false);
  // The same export is accepted again.
  expect(await say("release", "locked.img", "--exported", "locked.jsonl", ...options)).toMatchObject({ status: 0 });
});
