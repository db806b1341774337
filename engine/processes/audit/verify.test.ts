import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AuditRecord } from "../../lib/wire/generated/audit.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { BLOCK_BYTES, encodeBatch } from "./block.ts";
import { Chain, type Link } from "./chain.ts";
import { createLogBytes } from "./device.ts";
import { hashOf, NO_HASH } from "./record.ts";
import { anyLog, blocksOf, bootIdOf, bootOf, bytesOf, intentOf, linked, smallLog, stampOf } from "./testing/sample.ts";
import { type Verdict, verify } from "./verify.ts";

/** Verifies these bytes, and returns the verdict as plain values. */
function judged(bytes: Uint8Array, chunk?: number) {
  const { chain, fault, ...rest } = verify(createLogBytes(bytes, chunk));
  return { ...rest, sequence: chain.sequence, hash: Buffer.from(chain.hash).toString("hex"), open: chain.open, fault };
}

function faultIn(bytes: Uint8Array): Verdict["fault"] {
  return verify(createLogBytes(bytes)).fault;
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

test("accepts every log that follows the rules", () => {
  fc.assert(
    fc.property(anyLog, fc.integer({ min: 1, max: 3 }), (links, together) => {
      const bytes = bytesOf(links, together);
      const { fault, torn, length, size, chain, boots } = verify(createLogBytes(bytes));
      expect({ fault, torn, length, size }).toEqual({ fault: undefined, torn: 0, length: bytes.length, size: length });
      expect(chain.sequence).toBe(BigInt(links.length));
      expect(chain.hash).toEqual(links.at(-1)?.hash);
      expect(boots).toBe(links.filter(({ record }) => record.entry.which === "boot").length);
    }),
    { numRuns: 100 },
  );
});

test("accepts an empty log", () => {
  expect(judged(new Uint8Array(0))).toMatchObject({ length: 0, torn: 0, fault: undefined, sequence: 0n });
});

test("the verdict does not depend on how the file is split into chunks", () => {
  fc.assert(
    fc.property(anyLog, fc.integer({ min: 1, max: 999 }), fc.nat(), fc.nat(), (links, size, cut, bit) => {
      const bytes = bytesOf(links);
      const changed = flipped(bytes, bit % (bytes.length * 8)).subarray(0, bytes.length - (cut % 300));
      expect(judged(changed, size)).toEqual(judged(changed));
    }),
    { numRuns: 100 },
  );
});

test("finds any changed bit, and reports the block that contains it", () => {
  fc.assert(
    fc.property(anyLog, fc.integer({ min: 1, max: 3 }), fc.nat(), (links, together, pick) => {
      const bytes = bytesOf(links, together);
      const bit = pick % (bytes.length * 8);
      const at = Math.floor(bit / 8 / BLOCK_BYTES) * BLOCK_BYTES;
      expect(faultIn(flipped(bytes, bit))?.offset).toBe(at);
    }),
    { numRuns: 200 },
  );
});

test("finds a changed bit anywhere in a log, and never treats a complete record as a torn record", () => {
  const bytes = bytesOf(smallLog());
  const unseen: number[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const { fault, torn } = verify(createLogBytes(flipped(bytes, bit)));
    if (fault === undefined || torn > 0) unseen.push(bit);
  }
  expect(unseen).toEqual([]);
});

/** Returns the log with a word of one record replaced, and with the checksum of that block corrected. */
function reworded(links: readonly Link[], from: string, to: string): Buffer {
  const bytes = bytesOf(links);
  bytes.write(to, bytes.lastIndexOf(from));
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    block.writeUInt32LE(crc32(block.subarray(8)), 4);
  }
  return bytes;
}

test("the next record's hash reveals a changed word of an earlier record, even with a new checksum", () => {
  const reason = "the hash of the record before is another";
  expect(faultIn(reworded(smallLog(), "revoked", "rewoked"))).toMatchObject({ sequence: 5n, reason });
});

test("accepts a changed word of the last record, which only a separate copy of its hash reveals", () => {
  const links = smallLog();
  const bytes = reworded(links, "permit 2", "permit 3");
  expect(faultIn(bytes)).toBeUndefined();
  expect(judged(bytes).hash).not.toBe(Buffer.from(links.at(-1)?.hash ?? "").toString("hex"));
});

test("accepts a log whose last records are completely missing", () => {
  const links = smallLog();
  expect(judged(bytesOf(links.slice(0, 3)))).toMatchObject({ fault: undefined, torn: 0, sequence: 3n });
});

for (const [what, change] of Object.entries<(links: readonly Link[]) => (Link | undefined)[]>({
  "is missing": ([first, , ...rest]) => [first, ...rest],
  "is repeated": ([first, second, ...rest]) => [first, second, second, ...rest],
  "changed places": ([first, second, third, ...rest]) => [first, third, second, ...rest],
})) {
  test(`finds a record that ${what}`, () => {
    const links = change(smallLog()).filter((link) => link !== undefined);
    expect(faultIn(bytesOf(links))?.reason).toBe("the hash of the record before is another");
  });
}

test("the previous hash in the second record reveals that the first record was replaced", () => {
  const [, ...rest] = smallLog();
  const first = linked(new Chain(), bootOf(), stampOf(9, "audit"));
  expect(faultIn(bytesOf([first, ...rest]))).toMatchObject({
    sequence: 2n,
    offset: bytesOf([first]).length,
    reason: "the hash of the record before is another",
  });
});

test("finds an outcome whose intent is not open", () => {
  const links = smallLog();
  const [, , third] = links;
  if (third?.record.entry.which !== "outcome") throw new Error("the third record of the sample is an outcome");
  const entry = { ...third.record.entry, outcome: { ...third.record.entry.outcome, intent: 1n } };
  const bytes = encodeMessage(AuditRecord, { ...third.record, entry });
  const changed = { ...third, bytes, hash: hashOf(bytes) };
  expect(faultIn(bytesOf([...links.slice(0, 2), changed]))?.reason).toBe("gate.operator has no open intent 1");
});

test("lists the orphans of all boots, and the open intents of the newest boot", () => {
  const chain = new Chain();
  const links = [
    linked(chain, bootOf(), stampOf(1, "audit")),
    linked(chain, intentOf(), stampOf(1, "gate.operator")),
    linked(chain, bootOf([2n]), stampOf(2, "audit")),
    linked(chain, intentOf(), stampOf(2, "gate.operator")),
  ];
  expect(judged(bytesOf(links))).toMatchObject({ boots: 2, orphans: [2n], open: [4n] });
});

/**
 * Returns the partition after a power cut while the log's last batch was written: `isThere` returns which blocks of
 * this batch remain. After the batch the partition contains only zeros.
 */
function leftOf(links: readonly Link[], last: readonly Link[], isThere: (block: number) => boolean): Buffer {
  const before = bytesOf(links);
  const batch = blocksOf(last, before.length / BLOCK_BYTES);
  for (let at = 0; at < batch.length; at += BLOCK_BYTES)
    if (!isThere(at / BLOCK_BYTES)) batch.fill(0, at, at + BLOCK_BYTES);
  return Buffer.concat([before, batch, Buffer.alloc(100_000)]);
}

test("after a power cut in the last batch the log counts as torn, not as damaged, and has all other batches", () => {
  const choice = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(anyLog, fc.integer({ min: 1, max: 3 }), choice, (links, together, choices) => {
      const boot = links.findLastIndex(({ record }) => record.entry.which === "boot");
      const cut = Math.max(boot, links.length - together);
      const [before, last] = [links.slice(0, cut), links.slice(cut)];
      const isThere = (block: number): boolean => choices[block % choices.length] === true;
      const blocks = blocksOf(last, 0).length / BLOCK_BYTES;
      const present = Array.from({ length: blocks }, (_, block) => isThere(block)).filter(Boolean).length;
      const { length, torn, fault, chain } = verify(createLogBytes(leftOf(before, last, isThere), 1000));
      const isWhole = present === blocks;
      expect({ torn, fault }).toEqual({ torn: isWhole ? 0 : present * BLOCK_BYTES, fault: undefined });
      expect(length).toBe(bytesOf(before).length + (isWhole ? blocks * BLOCK_BYTES : 0));
      expect(chain.sequence).toBe(BigInt(isWhole ? links.length : before.length));
    }),
    { numRuns: 200 },
  );
});

test("a missing block before an acknowledged batch is damage, not a torn tail", () => {
  const links = smallLog();
  const bytes = bytesOf(links);
  const at = bytesOf(links.slice(0, 2)).length;
  for (const [from, to] of [
    [at, at + BLOCK_BYTES],
    [at - BLOCK_BYTES, at],
    [0, at],
  ]) {
    const changed = Buffer.from(bytes).fill(0, from, to);
    expect(faultIn(changed)?.reason).toMatch(/^blocks are missing before place \d+$/);
  }
});

test("a block that was written for another position, batch or boot is damage, not a torn tail", () => {
  const links = smallLog();
  const bytes = bytesOf(links);
  const block = (number: number): Buffer => bytes.subarray(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES);
  expect(faultIn(Buffer.concat([bytes, block(1)]))?.reason).toMatch(/^the block belongs to place 1, not \d+$/);
  const place = bytes.length / BLOCK_BYTES;
  const long = Buffer.alloc(1000, 1);
  const [one, other] = [1, 2].map((boot) => encodeBatch(long, { place, bootId: bootIdOf(boot), previous: NO_HASH }));
  const mixed = Buffer.concat([bytes, one?.subarray(0, 512) ?? long, other?.subarray(512) ?? long]);
  expect(faultIn(mixed)).toMatchObject({ offset: (place + 1) * 512, reason: "the block belongs to another batch" });
});

test("finds a batch with a wrong previous hash or a wrong boot, and a batch that ends within a record", () => {
  const [first, second] = smallLog();
  if (first === undefined || second === undefined) throw new Error("the sample is too short");
  const after = (records: Uint8Array, stamp: { readonly bootId?: Uint8Array; readonly previous?: Uint8Array }) => {
    const place = bytesOf([first]).length / BLOCK_BYTES;
    const { bootId, previous } = second.record;
    const batch = encodeBatch(records, { place, bootId, previous, ...stamp });
    return faultIn(Buffer.concat([bytesOf([first]), batch]))?.reason;
  };
  expect(after(second.bytes, {})).toBeUndefined();
  expect(after(second.bytes, { previous: NO_HASH })).toBe("the hash of the record before is another");
  expect(after(second.bytes, { bootId: bootIdOf(9) })).toBe("the block is of another boot than its record");
  expect(after(second.bytes.subarray(0, -8), {})).toBe("a batch ends within a record");
  expect(after(Buffer.concat([second.bytes, Buffer.alloc(4)]), {})).toBe("a batch ends within a record");
  const header = Buffer.alloc(8);
  header.writeUInt32LE(131_072, 4);
  expect(after(header, {})).toBe("a record claims 1048584 bytes");
});

test("a partition that ends within a block has a fault only if that block contains data", () => {
  const bytes = bytesOf(smallLog());
  expect(judged(Buffer.concat([bytes, Buffer.alloc(100)]))).toMatchObject({ torn: 0, fault: undefined });
  expect(faultIn(bytes.subarray(0, -1))?.reason).toBe("the partition ends within a block");
});

test("never crashes on random bytes, alone or after a log, whatever their checksum", () => {
  const before = fc.constantFrom(Buffer.alloc(0), bytesOf(smallLog()));
  fc.assert(
    fc.property(before, fc.uint8Array({ minLength: 1, maxLength: 1100 }), fc.boolean(), (log, bytes, isSummed) => {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.set(bytes.subarray(0, BLOCK_BYTES));
      if (isSummed) block.write("cAu1", "latin1");
      if (isSummed) block.writeBigUInt64LE(BigInt(log.length / BLOCK_BYTES), 8);
      if (isSummed) block.writeUInt32LE(crc32(block.subarray(8)), 4);
      expect(judged(Buffer.concat([log, block, bytes.subarray(BLOCK_BYTES)])).length).toBe(log.length);
    }),
    { numRuns: 700 },
  );
});

test("never crashes on any number of changed bytes", () => {
  const log = bytesOf(smallLog());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 30 }), (changes) => {
      const bytes = Buffer.from(log);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      expect(judged(bytes).length).toBeLessThanOrEqual(log.length);
    }),
    { numRuns: 700 },
  );
});
