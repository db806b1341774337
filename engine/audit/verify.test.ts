import fc from "fast-check";
import { expect, test } from "vitest";
import { AuditRecord } from "../wire/generated/audit.ts";
import { encodeMessage } from "../wire/index.ts";
import { Chain, type Link } from "./chain.ts";
import { hashOf } from "./record.ts";
import { anyLog, bootOf, bytesOf, inChunks, intentOf, linked, smallLog, stampOf } from "./testing/sample.ts";
import { type Verdict, verify } from "./verify.ts";

/** All that a verdict says, as plain values. */
function judged(bytes: Uint8Array, chunk?: number) {
  const { chain, fault, ...rest } = verify(inChunks(bytes, chunk));
  return { ...rest, sequence: chain.sequence, hash: Buffer.from(chain.hash).toString("hex"), open: chain.open, fault };
}

function faultIn(bytes: Uint8Array): Verdict["fault"] {
  return verify(inChunks(bytes)).fault;
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = Buffer.from(bytes);
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

test("every log that was written by the rules is in order", () => {
  fc.assert(
    fc.property(anyLog, (links) => {
      const bytes = bytesOf(links);
      const { fault, torn, length, chain, boots } = verify(inChunks(bytes));
      expect({ fault, torn, length }).toEqual({ fault: undefined, torn: 0, length: bytes.length });
      expect(chain.sequence).toBe(BigInt(links.length));
      expect(chain.hash).toEqual(links.at(-1)?.hash);
      expect(boots).toBe(links.filter(({ record }) => record.entry.which === "boot").length);
    }),
    { numRuns: 100 },
  );
});

test("a log without a record is in order", () => {
  expect(judged(new Uint8Array(0))).toMatchObject({ length: 0, torn: 0, fault: undefined, sequence: 0n });
});

test("the verdict does not depend on how the file is cut into chunks", () => {
  fc.assert(
    fc.property(anyLog, fc.integer({ min: 1, max: 999 }), fc.nat(), fc.nat(), (links, size, cut, bit) => {
      const bytes = bytesOf(links);
      const changed = flipped(bytes, bit % (bytes.length * 8)).subarray(0, bytes.length - (cut % 300));
      expect(judged(changed, size)).toEqual(judged(changed));
    }),
    { numRuns: 100 },
  );
});

test("any single bit changed before the last record is found, at that record or at the next", () => {
  fc.assert(
    fc.property(anyLog, fc.nat(), (links, pick) => {
      const last = links.at(-1)?.bytes.length ?? 0;
      const bytes = bytesOf(links);
      const bit = pick % ((bytes.length - last) * 8 || 1);
      if (bytes.length === last) return;
      const fault = faultIn(flipped(bytes, bit));
      const index = links.findIndex((_, at) => bytesOf(links.slice(0, at + 1)).length > bit >> 3);
      expect([BigInt(index + 1), BigInt(index + 2)]).toContain(fault?.sequence);
    }),
    { numRuns: 500 },
  );
});

test("any single bit of a log changes its verdict or its last hash, and none makes a whole record look torn", () => {
  const links = smallLog();
  const bytes = bytesOf(links);
  const newest = links.at(-1)?.hash ?? new Uint8Array(0);
  const unseen: number[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const { fault, torn, chain } = verify(inChunks(flipped(bytes, bit)));
    const isSeen = fault !== undefined || Buffer.compare(chain.hash, newest) !== 0;
    if (!isSeen || torn > 0) unseen.push(bit);
  }
  expect(unseen).toEqual([]);
});

test("a word of the last record can be changed without a fault: only its hash, noted elsewhere, shows it", () => {
  const links = smallLog();
  const bytes = Buffer.from(bytesOf(links));
  bytes.write("permit 3", bytes.lastIndexOf("permit 2"));
  expect(faultIn(bytes)).toBeUndefined();
  expect(judged(bytes).hash).not.toBe(Buffer.from(links.at(-1)?.hash ?? "").toString("hex"));
});

test("whole records can be cut off the tail without a fault", () => {
  const links = smallLog();
  expect(judged(bytesOf(links.slice(0, 3)))).toMatchObject({ fault: undefined, torn: 0, sequence: 3n });
});

for (const [what, change] of Object.entries<(links: readonly Link[]) => (Link | undefined)[]>({
  "is missing": ([first, , ...rest]) => [first, ...rest],
  "stands twice": ([first, second, ...rest]) => [first, second, second, ...rest],
  "changed places": ([first, second, third, ...rest]) => [first, third, second, ...rest],
})) {
  test(`a record that ${what} is found`, () => {
    const links = change(smallLog()).filter((link) => link !== undefined);
    expect(faultIn(bytesOf(links))?.reason).toMatch(/^sequence \d stands where \d belongs$/);
  });
}

test("a log that was begun anew with other words is found by the hash of its second record", () => {
  const [, ...rest] = smallLog();
  const first = linked(new Chain(), bootOf(), stampOf(9, "audit"));
  expect(faultIn(bytesOf([first, ...rest]))).toMatchObject({
    sequence: 2n,
    offset: first.bytes.length,
    reason: "the hash of the record before is another",
  });
});

test("a record whose outcome belongs to no intent is found", () => {
  const links = smallLog();
  const [, , third] = links;
  if (third?.record.entry.which !== "outcome") throw new Error("the third record of the sample is an outcome");
  const entry = { ...third.record.entry, outcome: { ...third.record.entry.outcome, intent: 1n } };
  const bytes = encodeMessage(AuditRecord, { ...third.record, entry });
  const changed = { ...third, bytes, hash: hashOf(bytes) };
  expect(faultIn(bytesOf([...links.slice(0, 2), changed]))?.reason).toBe("gate.operator has no open intent 1");
});

test("orphans of all boots are listed; intents of the newest are only open", () => {
  const chain = new Chain();
  const links = [
    linked(chain, bootOf(), stampOf(1, "audit")),
    linked(chain, intentOf(), stampOf(1, "gate.operator")),
    linked(chain, bootOf([2n]), stampOf(2, "audit")),
    linked(chain, intentOf(), stampOf(2, "gate.operator")),
  ];
  expect(judged(bytesOf(links))).toMatchObject({ boots: 2, orphans: [2n], open: [4n] });
});

test("cut at any byte of its last record, a log keeps all the others and is torn, not damaged", () => {
  fc.assert(
    fc.property(anyLog, (links) => {
      const bytes = bytesOf(links);
      const kept = bytesOf(links.slice(0, -1)).length;
      for (let end = kept; end < bytes.length; end += 1) {
        const { length, torn, fault, chain } = verify(inChunks(bytes.subarray(0, end)));
        expect({ length, torn, fault }).toEqual({ length: kept, torn: end - kept, fault: undefined });
        expect(chain.sequence).toBe(BigInt(links.length - 1));
      }
    }),
    { numRuns: 15 },
  );
});

test("a file that grew without its bytes ends in zeros, and is torn there", () => {
  const bytes = bytesOf(smallLog());
  for (const zeros of [1, 7, 8, 9, 4096, 65_536]) {
    const grown = Buffer.concat([bytes, Buffer.alloc(zeros)]);
    expect(judged(grown, 1000)).toMatchObject({ length: bytes.length, torn: zeros, fault: undefined });
  }
});

test("more zeros than a crash leaves are a fault, and so are zeros with something behind them", () => {
  const bytes = bytesOf(smallLog());
  for (const tail of [Buffer.alloc(65_537), Buffer.alloc(200_000), Buffer.from([...new Uint8Array(16), 1])]) {
    const fault = faultIn(Buffer.concat([bytes, tail]));
    expect(fault).toMatchObject({ offset: bytes.length, reason: "a record has no words" });
  }
});

test("a header that claims the rest of the file hides nothing", () => {
  const [first, second, ...rest] = smallLog();
  if (first === undefined || second === undefined) throw new Error("the sample is too short");
  const changed = Buffer.from(second.bytes);
  changed.writeUInt32LE(100_000, 4);
  const fault = faultIn(Buffer.concat([first.bytes, changed, bytesOf(rest)]));
  expect(fault).toMatchObject({ offset: first.bytes.length, sequence: 2n });
  expect(fault?.reason).toBe("the header claims more than the record that follows it");
});

test("a header that claims more than any record is a fault", () => {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(131_072, 4);
  expect(faultIn(header)?.reason).toBe("a record claims 1048584 bytes");
});

test("random bytes never crash, alone or behind a log", () => {
  const before = fc.constantFrom(new Uint8Array(0), bytesOf(smallLog()));
  fc.assert(
    fc.property(before, fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 100 }), (log, bytes, words) => {
      const claiming = Buffer.concat([log, Buffer.from([0, 0, 0, 0, words, 0, 0, 0]), bytes]);
      const verdicts = [judged(Buffer.concat([log, bytes])), judged(claiming)];
      for (const { length } of verdicts) expect(length).toBe(log.length);
    }),
    { numRuns: 2000 },
  );
});

test("any change of many bytes never crashes", () => {
  const log = bytesOf(smallLog());
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 30 }), (changes) => {
      const bytes = Buffer.from(log);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      expect(judged(bytes).length).toBeLessThanOrEqual(log.length);
    }),
    { numRuns: 2000 },
  );
});
