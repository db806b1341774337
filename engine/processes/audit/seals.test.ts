// Tests which changes the seals reveal if an attacker has the disk and the key of the current epoch.

import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { BLOCK_BYTES } from "./block.ts";
import { Chain } from "./chain.ts";
import { createLogBytes, type Device } from "./device.ts";
import { encodeKey, parseKeyBlock, type SealingKey } from "./key-block.ts";
import { openStore } from "./opening.ts";
import { deriveKeyAfter, turnKey } from "./seals.ts";
import { derivePublicKey, isSignedBy, signHash } from "./signing.ts";
import type { Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { anyLog, bootOf, bytesOf, createBoot, linked, SEED, sealed, sessionOf, stampOf } from "./testing/sample.ts";
import { findKeyMismatch, type Verdict, type VerifiedRecord, verify } from "./verify.ts";

let disk: FailingDisk;
beforeEach(() => {
  disk = new FailingDisk();
});

async function tried(boot: number, device: Device = disk.plugged()) {
  return await openStore(device, createBoot(boot));
}

async function opened(boot: number): Promise<Store> {
  const store = await tried(boot);
  if (!store.ok) throw new Error(store.reason);
  return store.value;
}

async function wrote(store: Store, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await store.append("gate.operator", sessionOf(`${at}`));
}

function read(bytes: Uint8Array = disk.bytes): {
  readonly found: readonly VerifiedRecord[];
  readonly verdict: Verdict;
} {
  const found: VerifiedRecord[] = [];
  const verdict = verify(createLogBytes(bytes), (one) => found.push(one));
  return { found, verdict };
}

const kinds = (): readonly string[] => read().found.map(({ record }) => record.entry.which);
/** Returns the key on the disk. */
function key(): SealingKey {
  const found = parseKeyBlock(disk.bytes.subarray(-BLOCK_BYTES));
  if (found === undefined) throw new Error("there is no key");
  return found;
}

const isSeal = (kind: string): boolean => kind === "seal";

test("seals an endless stream of records segment by segment, and seals the rest at a clean end", async () => {
  const store = await opened(1);
  await wrote(store, 600);
  const open = kinds();
  expect(open.filter(isSeal)).toHaveLength(3);
  expect(open.length - open.lastIndexOf("seal")).toBeLessThan(257);
  await store.close();
  expect(kinds().at(-1)).toBe("seal");
  const { verdict } = read();
  expect([verdict.chain.sealed?.epoch, verdict.chain.sealed?.sequence]).toEqual([3, verdict.chain.sequence]);
});

test("seals large records sooner than small ones", async () => {
  const store = await opened(1);
  for (let at = 0; at < 4; at += 1) await store.append("gate.operator", sessionOf("x".repeat(100_000)));
  expect(kinds().filter(isSeal)).toHaveLength(2);
});

test("the key that signed a seal is erased from the disk, and the next seal continues the chain of keys", async () => {
  let store = await opened(1);
  const gone: Uint8Array[] = [];
  for (let boot = 2; boot < 5; boot += 1) {
    gone.push(key().seed);
    await wrote(store, 3);
    await store.close();
    for (const seed of gone) expect(disk.bytes.includes(Buffer.from(seed))).toBe(false);
    store = await opened(boot);
  }
  expect(read().verdict.fault).toBeUndefined();
});

/** Returns the log that a thief with the current disk can forge: the thief's own records, sealed with the key from that disk. */
function rewritten(from: number, found: readonly VerifiedRecord[], held: SealingKey): Chain | string {
  const chain = new Chain();
  const keys = { key: held };
  for (const [index, { record, hash }] of found.entries()) {
    const { entry } = record;
    if (index < from) chain.follow(record, hash);
    else if (entry.which === "seal") {
      const link = chain.seal(keys.key, record);
      if (!link.ok) return link.reason;
      keys.key = turnKey(keys.key);
    } else {
      const other: AuditEntry = index === from ? { ...entry, ...sessionOf("nothing happened") } : entry;
      const link = chain.append(other, record);
      if (!link.ok) return link.reason;
    }
  }
  return chain;
}

test("an attacker with the disk can rewrite unsealed records, but not sealed ones", async () => {
  const store = await opened(1);
  await wrote(store, 300);
  const { found, verdict } = read();
  const last = found.findLastIndex(({ record }) => isSeal(record.entry.which));
  const held = verdict.key ?? key();
  for (const from of [2, 100, last - 1])
    expect(rewritten(from, found, held)).toMatch(/^a seal of epoch \d stands where/);
  // A key that the attacker made is not the key that the previous seal names. If the attacker also replaces the first seal, the log has
  // another audit key.
  expect(rewritten(last - 1, found, { epoch: 1, seed: SEED })).toBe(
    "the seal has another key than the one before named",
  );
  expect(rewritten(last + 1, found, held)).toBeInstanceOf(Chain);
});

test("refuses a log that was cut off at a seal or after a seal, because the key on the disk is newer", async () => {
  const store = await opened(1);
  await wrote(store, 600);
  const { found } = read();
  const places = found.flatMap(({ record, offset }) => (isSeal(record.entry.which) ? [offset] : []));
  const reasons: string[] = [];
  for (const offset of places) {
    const block = Math.floor(offset / BLOCK_BYTES) * BLOCK_BYTES;
    const [whole, cut] = [Buffer.from(disk.bytes), Buffer.from(disk.bytes)];
    // Erase the partition from the seal's block on, except for the key block at its end.
    cut.fill(0, block, cut.length - BLOCK_BYTES);
    disk.bytes.set(cut);
    const store = await tried(2);
    reasons.push(store.ok ? "goes on" : store.reason.replace("the audit log cannot be gone on with: ", ""));
    disk.bytes.set(whole);
  }
  const words = "the key on the disk has made seal 2, and the log ends with";
  expect(reasons).toEqual([
    `${words} no seal: what came after was cut off`,
    `${words} seal 0: what came after was cut off`,
    `${words} seal 1: what came after was cut off`,
  ]);
});

test("refuses a log whose key is missing, older or of another log", async () => {
  const store = await opened(1);
  const [older, last] = [key(), BLOCK_BYTES];
  await wrote(store, 600);
  await store.close();
  const whole = Buffer.from(disk.bytes);
  const after = async (block: Buffer): Promise<string> => {
    disk.bytes.set(whole);
    disk.bytes.set(block, disk.bytes.length - last);
    const store = await tried(2);
    return store.ok ? "goes on" : store.reason;
  };
  const head = "the audit log cannot be gone on with: ";
  expect(await after(Buffer.alloc(last))).toBe(`${head}its key is gone from the disk`);
  // `findKeyMismatch` gives the same reason for a disk without a key. A copy of the log in a file may lack the key.
  const { verdict } = read();
  expect([true, false].map((isDisk) => findKeyMismatch(verdict, isDisk ? "disk" : "file"))).toEqual([
    "its key is gone from the disk",
    undefined,
  ]);
  expect(await after(encodeKey(older))).toBe(`${head}the key on the disk is older than the seals of the log`);
  const another = "the key on the disk is not the one that the log goes on with";
  expect(await after(encodeKey({ epoch: 4, seed: SEED }))).toBe(`${head}${another}`);
  const torn = encodeKey({ epoch: 4, seed: SEED });
  torn[20] = (torn[20] ?? 0) ^ 1;
  expect(await after(torn)).toMatch(/^the audit log is damaged at byte \d+: the block of the key is damaged$/);
  disk.bytes.set(whole);
  expect((await tried(3)).ok).toBe(true);
});

test("after a power cut between a seal and its key, the next start stores the key without a second seal", async () => {
  const store = await opened(1);
  const before = Buffer.from(disk.bytes.subarray(-BLOCK_BYTES));
  await wrote(store, 3);
  await store.close();
  disk.bytes.set(before, disk.bytes.length - BLOCK_BYTES);
  await opened(2);
  const { found, verdict } = read();
  const epochs = found.flatMap(({ record: { entry } }) => (entry.which === "seal" ? [entry.seal.epoch] : []));
  expect([epochs, verdict.fault, key().epoch]).toEqual([[0, 1, 2], undefined, 3]);
});

test("writes each key to the disk before the key signs a seal, even the first key and a key that a power cut left on the disk", async () => {
  /** The epoch of the key on the disk at each write of records, in order. */
  const seen: (number | undefined)[] = [];
  const watched = (): Device => {
    const device = disk.plugged();
    const write = (bytes: Uint8Array, position: number) => {
      const last = disk.bytes.subarray(-BLOCK_BYTES);
      if (position < disk.bytes.length - BLOCK_BYTES) seen.push(parseKeyBlock(last)?.epoch);
      return device.write(bytes, position);
    };
    return { ...device, write };
  };
  const [first, before] = [await tried(1, watched()), Buffer.from(disk.bytes.subarray(-BLOCK_BYTES))];
  if (first.ok) await first.value.close();
  disk.bytes.set(before, disk.bytes.length - BLOCK_BYTES);
  await tried(2, watched());
  // First start: a boot record, its seal, and the seal at the end. Second start: a boot record and its seal.
  expect(seen).toEqual([0, 0, 1, 2, 2]);
});

test("a log without a key gets a key, and the first seal covers the whole log", async () => {
  const chain = new Chain();
  const old = [
    linked(chain, bootOf(), stampOf(1, "audit")),
    linked(chain, sessionOf("old"), stampOf(1, "gate.operator")),
  ];
  disk.bytes.set(bytesOf(old));
  await opened(2);
  expect(kinds()).toEqual(["boot", "session", "boot", "seal"]);
});

test("does not detect a cut after the newest seal, or an older copy of the disk with its key", async () => {
  const store = await opened(1);
  await wrote(store, 10);
  const copy = Buffer.from(disk.bytes);
  const { found } = read();
  const behind = found.at(5)?.offset ?? 0;
  disk.bytes.fill(0, Math.floor(behind / BLOCK_BYTES) * BLOCK_BYTES, disk.bytes.length - BLOCK_BYTES);
  expect((await tried(2)).ok).toBe(true);
  await store.close();
  disk.bytes.set(copy);
  expect((await tried(3)).ok).toBe(true);
});

test("after a boot record, only its seal or another boot record may follow", () => {
  const chain = new Chain();
  const keys = { key: { epoch: 0, seed: SEED } };
  linked(chain, bootOf(), stampOf(1, "audit"));
  sealed(chain, keys, stampOf(1, "audit"));
  linked(chain, bootOf(), stampOf(2, "audit"));
  expect(chain.append(sessionOf("x"), stampOf(2, "gate.operator"))).toMatchObject({
    ok: false,
    reason: "a boot goes on without the seal behind its record",
  });
  linked(chain, bootOf(), stampOf(3, "audit"));
  sealed(chain, keys, stampOf(3, "audit"));
  linked(chain, sessionOf("x"), stampOf(3, "gate.operator"));
  expect(deriveKeyAfter(chain.sealed, keys.key)).toEqual({ ok: true, value: keys.key });
});

test("verification fails if any bit of a seal changes", () => {
  fc.assert(
    fc.property(anyLog, fc.nat(), fc.nat({ max: 7 }), (links, place, bit) => {
      const chain = new Chain();
      for (const { record, hash } of links) chain.follow(record, hash);
      const [before, stamp] = [chain.copy(), links.at(-1)?.record ?? stampOf(1, "audit")];
      const { record, hash } = sealed(chain, { key: { epoch: 0, seed: SEED } }, stamp);
      if (record.entry.which !== "seal") throw new Error("no seal");
      const { seal } = record.entry;
      const field = (["key", "next", "signature"] as const)[place % 3] ?? "key";
      const changed = Uint8Array.from(seal[field]);
      const at = place % changed.length;
      changed[at] = (changed[at] ?? 0) ^ (1 << bit);
      const entry = { which: "seal", seal: { ...seal, [field]: changed } } as const;
      expect(before.follow({ ...record, entry }, hash)).toBe("the signature of the seal does not fit");
      expect(before.follow({ ...record, wallMs: record.wallMs + 1n }, hash)).toBe(
        "the signature of the seal does not fit",
      );
      expect(before.follow(record, hash)).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

test("a signature check never throws, and accepts only the signed hash", () => {
  const hash = Buffer.alloc(32, 1);
  const signature = signHash(SEED, hash);
  expect(isSignedBy(derivePublicKey(SEED), hash, signature)).toBe(true);
  expect(isSignedBy(derivePublicKey(SEED), Buffer.alloc(32, 2), signature)).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 70 }), (key, other) => {
      expect(isSignedBy(key, hash, other)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("reads back a key block, and refuses a key block with any changed bit", () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.nat(8 * BLOCK_BYTES - 1),
      (epoch, seed, bit) => {
        const block = encodeKey({ epoch, seed });
        expect(parseKeyBlock(block)).toMatchObject({ epoch, seed });
        block[bit >> 3] = (block[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(parseKeyBlock(block)).toBeUndefined();
      },
    ),
    { numRuns: 60 },
  );
});
