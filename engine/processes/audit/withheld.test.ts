// Tests the digests of withheld text: their key, and that no record has both a text and its digest.
import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BLOCK_BYTES } from "./block.ts";
import { encodeKey, parseKeyBlock } from "./key-block.ts";
import { openStore } from "./opening.ts";
import { turnKey } from "./seals.ts";
import type { Boot, Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { bootIdOf, intentOf, outcomeOf, POLICY_DIGEST, SEED, sessionOf } from "./testing/sample.ts";
import { digestText, keyDigests, WITHHELD_KINDS } from "./withheld.ts";

const KEY = Buffer.alloc(32, 7);
const OTHER = Buffer.alloc(32, 8);
const HASH = new Uint8Array(hash("sha256", "text", "buffer"));

function bootOf(number: number): Boot {
  const time = () => ({ monotonicMs: 5n, wallMs: 6n, wallSource: "rtc" });
  return { systemId: "s", version: "1", bootId: bootIdOf(number), policyDigest: POLICY_DIGEST, writer: "audit", time };
}

async function opened(disk: FailingDisk, boot = 1): Promise<Store> {
  const store = await openStore(disk.plugged(), bootOf(boot));
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

const keyOn = (disk: FailingDisk) => parseKeyBlock(disk.bytes.subarray(-BLOCK_BYTES));

test("digests differ by text, by kind and by key, and are not the hash of the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
      const all = [one, ...(one === other ? [] : [other])].flatMap((text) =>
        WITHHELD_KINDS.flatMap((kind) =>
          [KEY, OTHER].map((key) => Buffer.from(digestText(key, kind, text)).toString("hex")),
        ),
      );
      expect(new Set(all).size).toBe(all.length);
      expect(all).not.toContain(hash("sha256", one));
    }),
  );
});

test("an entry without withheld text is recorded unchanged", () => {
  for (const entry of [
    intentOf({ resultHash: HASH }),
    outcomeOf(1n, { resultHash: HASH, error: "e" }),
    sessionOf("notes"),
  ])
    expect(keyDigests(entry, KEY)).toBe(entry);
});

test("the key of digests is made at the first start, and stays the same across seals, starts and crashes", async () => {
  const disk = new FailingDisk();
  const store = await opened(disk);
  const { digestKey } = keyOn(disk) ?? {};
  expect(digestKey).toHaveLength(32);
  for (let count = 0; count < 600; count += 1) await store.append("gate.operator", sessionOf("notes"));
  await store.close();
  await opened(disk, 2);
  expect(keyOn(disk)?.digestKey).toEqual(digestKey);
  const another = new FailingDisk();
  await opened(another);
  expect(keyOn(another)?.digestKey).not.toEqual(digestKey);
});

test("a log of an older version without a key of digests gets a key, and its seals stay valid", async () => {
  const disk = new FailingDisk();
  await (await opened(disk)).close();
  const key = keyOn(disk);
  if (key === undefined) throw new Error("the log has no key");
  disk.bytes.set(encodeKey({ epoch: key.epoch, seed: key.seed }), disk.bytes.length - BLOCK_BYTES);
  expect(keyOn(disk)?.digestKey).toBeUndefined();
  await opened(disk, 2);
  expect(keyOn(disk)?.digestKey).toHaveLength(32);
  expect(turnKey({ epoch: 0, seed: SEED, digestKey: KEY }).digestKey).toBe(KEY);
});

test("the log refuses a record of a call whose texts, digests and flags contradict each other", async () => {
  const store = await opened(new FailingDisk());
  const withheld = { arguments: "", isWithheld: true, argumentsHash: HASH } as const;
  for (const [fields, reason] of [
    [{ ...withheld, arguments: "{}" }, "a call has the arguments that it withholds"],
    [{ ...withheld, isWithheld: false }, "a call has a digest of its arguments and does not withhold them"],
    [{ ...withheld, argumentsHash: new Uint8Array(0) }, "a call withholds its arguments and has no digest of them"],
    [{ errorHash: HASH, error: "e" }, "a call has the error that it withholds"],
  ] as const) {
    expect(await store.append("gate.operator", outcomeOf(0n, fields))).toEqual({ ok: false, reason });
    expect(await store.append("gate.operator", intentOf(fields))).toEqual({ ok: false, reason });
  }
  expect((await store.append("gate.operator", intentOf(withheld))).ok).toBe(true);
});
