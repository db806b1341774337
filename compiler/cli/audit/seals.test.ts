// Tests of seals on a whole disk, a partition and an export.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BLOCK_BYTES } from "../../../engine/processes/audit/block.ts";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import { encodeKey, type SealingKey } from "../../../engine/processes/audit/key-block.ts";
import { turnKey } from "../../../engine/processes/audit/seals.ts";
import { derivePublicKey } from "../../../engine/processes/audit/signing.ts";
import {
  bootOf,
  bytesOf,
  intentOf,
  linked,
  outcomeOf,
  SEED,
  sealed,
  stampOf,
} from "../../../engine/processes/audit/testing/sample.ts";
import { runCommand } from "../memory-world.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-audit-seals-"));
afterAll(() => rmSync(folder, { recursive: true }));

const say = (...words: string[]) => runCommand(["audit", ...words], { folder });
const KEY = Buffer.from(derivePublicKey(SEED)).toString("hex");

/** A log with two seals, and one record after the last seal. */
const chain = new Chain();
const keys: { key: SealingKey } = { key: { epoch: 0, seed: SEED } };
const gate = stampOf(1, "gate.operator");
const LINKS = [
  linked(chain, bootOf(), stampOf(1, "audit")),
  sealed(chain, keys, stampOf(1, "audit")),
  linked(chain, intentOf(), gate),
  linked(chain, outcomeOf(3n), gate),
  sealed(chain, keys, stampOf(1, "audit")),
  linked(chain, intentOf(), gate),
];

/** Returns a partition that contains these records, followed by the sealing key. */
function partition(records: Buffer, key: SealingKey | undefined = keys.key): Buffer {
  const bytes = Buffer.alloc(64 * BLOCK_BYTES);
  bytes.set(records);
  if (key !== undefined) bytes.set(encodeKey(key), bytes.length - BLOCK_BYTES);
  return bytes;
}

beforeEach(() => writeFileSync(join(folder, "audit.log"), partition(bytesOf(LINKS))));

test("verify prints the audit key and the last sealed record", async () => {
  const { status, out } = await say("verify", "audit.log", "--key", KEY.toUpperCase());
  expect(status).toBe(0);
  expect(out).toContain(
    `audit key: ${KEY}\nsealed: up to record 5, by seal 1; 1 records behind it are under no seal yet\n`,
  );
  expect(out).toContain("verdict: in order\n");
  expect(await say("key", "audit.log")).toMatchObject({ status: 0, out: `${KEY}\n` });
  const { out: json } = await say("verify", "audit.log", "--json");
  expect(JSON.parse(json)).toMatchObject({ sealed: { key: KEY, epoch: 1, sequence: 5 }, estranged: null });
});

test("verification fails if the log has another audit key than the expected one", async () => {
  expect(await say("verify", "audit.log", "--key", "0".repeat(64))).toMatchObject({
    status: 1,
    out: expect.stringContaining("verdict: IN ORDER, BUT UNDER ANOTHER AUDIT KEY\n"),
  });
  expect((await say("verify", "audit.log", "--key", "12")).err).toBe("capc audit: --key is 64 hexadecimal digits\n");
  expect((await say("show", "audit.log", "--key", KEY)).status).toBe(2);
});

test("detects a truncated log if the key on the disk has made seals that the log lacks", async () => {
  const verdict = async (bytes: Buffer): Promise<string> => {
    writeFileSync(join(folder, "audit.log"), bytes);
    const { status, out } = await say("verify", "audit.log");
    return `${status} ${/verdict: (.*)/.exec(out)?.[1]}`;
  };
  const words = "the key on the disk has made seal 1, and the log ends with";
  const cut = "what came after was cut off";
  expect(await verdict(partition(bytesOf(LINKS.slice(0, 4))))).toBe(
    `1 IN ORDER, BUT NOT ALL OF IT: ${words} seal 0: ${cut}`,
  );
  expect(await verdict(partition(bytesOf(LINKS.slice(0, 1))))).toBe(
    `1 IN ORDER, BUT NOT ALL OF IT: ${words} no seal: ${cut}`,
  );
  // Both of these disks count as in order, because a disk that nobody changed may be in the same state. From the first
  // log, the record after the last seal was removed. On the second disk, the key was not replaced after the last seal.
  expect(await verdict(partition(bytesOf(LINKS.slice(0, 5))))).toBe("0 in order");
  expect(await verdict(partition(bytesOf(LINKS), { epoch: 1, seed: turnKey({ epoch: 0, seed: SEED }).seed }))).toBe(
    "0 in order",
  );
  expect(await verdict(partition(bytesOf(LINKS), { epoch: 2, seed: SEED }))).toMatch(
    /not the one that the log goes on/,
  );
});

test("no output of capc contains the secret of the next seal", async () => {
  const secret = Buffer.from(keys.key.seed).toString("hex");
  for (const words of [["verify"], ["verify", "--json"], ["show"], ["show", "--json"], ["export"], ["key"]]) {
    const [action = "", ...options] = words;
    const { out, err } = await say(action, "audit.log", ...options);
    expect([words, out.includes(secret), err]).toEqual([words, false, ""]);
  }
});

test("an export contains the seals, and verify checks them", async () => {
  const { out } = await say("export", "audit.log");
  writeFileSync(join(folder, "whole.jsonl"), out);
  const whole = await say("verify", "whole.jsonl", "--key", KEY);
  expect([whole.status, whole.out]).toEqual([0, expect.stringContaining(`audit key: ${KEY}\nsealed: up to record 5`)]);
  const signature = /"signature":"([0-9a-f]{128})"/.exec(out)?.[1] ?? "";
  const flipped = `${signature.startsWith("0") ? "1" : "0"}${signature.slice(1)}`;
  writeFileSync(join(folder, "changed.jsonl"), out.replace(signature, flipped));
  expect((await say("verify", "changed.jsonl")).out).toContain("DAMAGED in line 2: its hash is another");
});

test("a log without a seal has no audit key", async () => {
  writeFileSync(join(folder, "audit.log"), bytesOf(LINKS.slice(0, 1)));
  expect(await say("key", "audit.log")).toMatchObject({
    status: 1,
    err: expect.stringContaining("nothing was ever sealed"),
  });
  expect((await say("verify", "audit.log")).out).toContain("sealed: nothing\n");
});
