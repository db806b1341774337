import fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditEntry, AuditRecord, type Checkpoint } from "../../lib/wire/generated/audit.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { Chain, type Link } from "./chain.ts";
import type { SealingKey } from "./key-block.ts";
import { hashOf, MAX_RECORD_BYTES, NO_HASH, recordFrom } from "./record.ts";
import {
  anyLog,
  bootOf,
  intentOf,
  linked,
  outcomeOf,
  SEED,
  sealed,
  sessionOf,
  smallLog,
  stampOf,
} from "./testing/sample.ts";

const audit = stampOf(1, "audit");
const gate = stampOf(1, "gate.operator");

/** Returns a chain that holds only its boot record. */
function booted(): Chain {
  const chain = new Chain();
  linked(chain, bootOf(), audit);
  return chain;
}

/** Returns why an entry is refused, and checks that the chain is unchanged. */
function refusal(chain: Chain, entry: AuditEntry, stamp = gate): string {
  const { sequence, hash, open } = chain;
  const link = chain.append(entry, stamp);
  expect({ sequence: chain.sequence, hash: chain.hash, open: chain.open }).toEqual({ sequence, hash, open });
  if (link.ok) throw new Error("the entry was not refused");
  return link.reason;
}

test("the first record has sequence 1 and names 32 zero bytes as its predecessor", () => {
  const { record, bytes, hash } = linked(new Chain(), bootOf(), audit);
  expect(record.sequence).toBe(1n);
  expect(record.previous).toEqual(NO_HASH);
  expect(hash).toEqual(hashOf(bytes));
});

test("each record names the hash of the whole previous record", () => {
  const links = smallLog();
  for (const [index, link] of links.entries()) {
    expect(link.record.sequence).toBe(BigInt(index + 1));
    expect(Buffer.from(link.record.previous)).toEqual(Buffer.from(links[index - 1]?.hash ?? NO_HASH));
  }
});

test("reads back each record as written: writer, times, digest and every field of the entry", () => {
  fc.assert(
    fc.property(anyLog, (links) => {
      for (const { bytes, record } of links) {
        // A clone has plain byte arrays, whatever class the original's arrays have.
        expect(structuredClone(recordFrom(bytes))).toEqual({ ok: true, value: structuredClone(record) });
      }
    }),
    { numRuns: 50 },
  );
});

test("an intent is open until its outcome is recorded", () => {
  const chain = booted();
  linked(chain, intentOf(), gate);
  linked(chain, intentOf(), gate);
  expect(chain.open).toEqual([2n, 3n]);
  linked(chain, outcomeOf(2n), gate);
  expect(chain.open).toEqual([3n]);
});

test("a refused call is recorded as an outcome without an intent", () => {
  const chain = booted();
  linked(chain, outcomeOf(0n, { decision: "forbidden", outcome: "refusedByPolicy" }), gate);
  expect(chain.open).toEqual([]);
});

test("an outcome without an intent is accepted only if no person was asked", () => {
  const chain = booted();
  linked(chain, outcomeOf(0n, { sent: true }), gate);
  expect(chain.open).toEqual([]);
  linked(chain, intentOf(), gate);
  expect(refusal(chain, outcomeOf(3n, { sent: true }))).toBe(
    "gate.operator has an intent 3 of a call that is said to need none",
  );
  expect(refusal(chain, intentOf({ sent: true }))).toBe(
    "gate.operator has an intent of a call that is said to need none",
  );
  for (const decision of ["consented", "remembered", "forbidden", "notReached"] as const)
    expect(refusal(chain, outcomeOf(0n, { sent: true, decision }))).toBe(
      `gate.operator sent a call without an intent whose decision is ${decision}`,
    );
});

test("accepts only one outcome for an intent", () => {
  const chain = booted();
  linked(chain, intentOf(), gate);
  linked(chain, outcomeOf(2n), gate);
  expect(refusal(chain, outcomeOf(2n))).toBe("gate.operator has no open intent 2");
});

test("a writer cannot record the outcome of another writer's intent", () => {
  const chain = booted();
  linked(chain, intentOf(), gate);
  expect(refusal(chain, outcomeOf(2n), stampOf(1, "gate.visitor"))).toBe("gate.visitor has no open intent 2");
});

test("a log and each boot begin with a boot record", () => {
  expect(refusal(new Chain(), sessionOf("x"))).toBe("a boot begins without its boot record");
  expect(refusal(booted(), sessionOf("x"), stampOf(2, "gate.operator"))).toBe("a boot begins without its boot record");
});

test("a boot record lists exactly the open intents, and closes them as orphans", () => {
  const chain = booted();
  linked(chain, intentOf(), gate);
  const second = stampOf(2, "audit");
  expect(refusal(chain, bootOf(), second)).toBe("a boot record lists the orphans [], which are [2]");
  expect(refusal(chain, bootOf([2n, 3n]), second)).toBe("a boot record lists the orphans [2 3], which are [2]");
  linked(chain, bootOf([2n]), second);
  expect(chain.open).toEqual([]);
  expect(refusal(chain, outcomeOf(2n), stampOf(2, "gate.operator"))).toBe("gate.operator has no open intent 2");
});

test("refuses an intent of a writer that already has 1024 intents without an outcome", () => {
  const chain = booted();
  for (let count = 0; count < 1024; count += 1) linked(chain, intentOf(), gate);
  expect(refusal(chain, intentOf())).toBe("gate.operator has 1024 intents without an outcome");
  linked(chain, intentOf(), stampOf(1, "gate.visitor"));
});

test("refuses a record that is larger than a mebibyte", () => {
  const chain = booted();
  const oneWord = "1234567";
  const { bytes } = linked(chain.copy(), sessionOf(oneWord), gate);
  const most = oneWord.padEnd(oneWord.length + MAX_RECORD_BYTES - bytes.length);
  expect(refusal(chain, sessionOf(`${most}.`))).toContain(`at most ${MAX_RECORD_BYTES} are written`);
  expect(linked(chain, sessionOf(most), gate).bytes.length).toBe(MAX_RECORD_BYTES);
});

test("an append to a copy of a chain does not change the original", () => {
  const chain = booted();
  linked(chain.copy(), intentOf(), gate);
  expect(chain.open).toEqual([]);
  expect(chain.sequence).toBe(1n);
});

test("refuses a record that is not canonical or has another schema version", () => {
  const record = smallLog()[0]?.record;
  if (record === undefined) throw new Error("the sample is empty");
  const bytes = encodeMessage(AuditRecord, record);
  const longer = Buffer.concat([bytes, Buffer.alloc(8)]);
  longer.writeUInt32LE(longer.length / 8 - 1, 4);
  expect(recordFrom(longer)).toEqual({ ok: false, reason: "the record is not in canonical form" });
  expect(recordFrom(encodeMessage(AuditRecord, { ...record, schemaVersion: 2 }))).toMatchObject({ ok: false });
});

/** Appends a seal and a checkpoint in the block `place`. */
function segment(chain: Chain, keys: { key: SealingKey }, place: number): Link {
  sealed(chain, keys, audit);
  return linked(chain, { which: "checkpoint", checkpoint: describeChain(chain, place) }, audit);
}

function describeChain(chain: Chain, place: number): Checkpoint {
  const state = chain.describe(place);
  if (state === undefined) throw new Error("the chain has no seal");
  return state;
}

/** Returns a chain of four segments, and the checkpoints at which the second, third and fourth begin. */
function fourSegments(): { chain: Chain; keys: { key: SealingKey }; checkpoints: readonly Link[] } {
  const chain = booted();
  const keys = { key: { epoch: 0, seed: SEED } };
  linked(chain, intentOf(), gate);
  const checkpoints = [10, 20, 30].map((place) => segment(chain, keys, place));
  return { chain, keys, checkpoints };
}

const releaseOf = (link: Link | undefined, by: "exported" | "shipped", changes: object = {}): AuditEntry => {
  const { sequence = 0n, previous = NO_HASH } = link?.record ?? {};
  return { which: "released", released: { through: sequence - 1n, hash: previous, by, ...changes } };
};

test("a checkpoint follows a seal, and has the exact state of the chain", () => {
  const chain = booted();
  const keys = { key: { epoch: 0, seed: SEED } };
  expect(chain.describe(5)).toBeUndefined();
  sealed(chain, keys, audit);
  const state = describeChain(chain, 5);
  const wrong = [
    { shipped: 1n },
    { epoch: 7 },
    { open: [{ sequence: 1n, writer: "gate.operator" }] },
    { auditKey: Buffer.alloc(32, 1) },
    { segments: [] },
  ];
  for (const changes of wrong)
    expect(refusal(chain, { which: "checkpoint", checkpoint: { ...state, ...changes } }, audit)).toBe(
      "a checkpoint has another state than the records before it",
    );
  expect(refusal(chain, { which: "checkpoint", checkpoint: { ...state, place: 0n } }, audit)).toContain("block 0");
  linked(chain, sessionOf("between"), gate);
  expect(refusal(chain, { which: "checkpoint", checkpoint: state }, audit)).toBe("a checkpoint does not follow a seal");
});

test("a chain that was read from a checkpoint continues in the same way as the chain that was read from its first record", () => {
  const { chain, keys, checkpoints } = fourSegments();
  const [, second] = checkpoints;
  const joined = new Chain("joined");
  const follow = (link: Link | undefined) => link && joined.follow(link.record, link.hash);
  expect(follow(second)).toBeUndefined();
  const whole = chain.copy();
  // `joined` has the checkpoint of the third segment, but not the seal after it. So the next checkpoint has too high a
  // sequence number, and `joined` refuses it.
  expect(follow(checkpoints[2])).toContain("stands where");
  expect(whole.open).toEqual(joined.open);
  expect(joined.sealed?.auditKey).toEqual(whole.sealed?.auditKey);
  expect(joined.segments).toHaveLength(3);
  expect(keys.key.epoch).toBe(3);
});

test("a chain without its first records must begin with a checkpoint of a valid form", () => {
  const { checkpoints } = fourSegments();
  const [, second] = checkpoints;
  if (second === undefined || second.record.entry.which !== "checkpoint") throw new Error("no checkpoint");
  const { checkpoint } = second.record.entry;
  const begin = (entry: AuditEntry) => new Chain("joined").follow({ ...second.record, entry }, second.hash);
  expect(begin(sessionOf("first"))).toContain("not with a checkpoint");
  const wrong = [
    { auditKey: new Uint8Array(3) },
    { next: new Uint8Array(0) },
    { shipped: 99n },
    { segments: checkpoint.segments.toReversed() },
    { place: 1n },
  ];
  for (const changes of wrong)
    expect(begin({ which: "checkpoint", checkpoint: { ...checkpoint, ...changes } })).toBe(
      "the checkpoint has a form that is never written",
    );
});

test("a release covers whole segments but never the newest two; shipped records need a record of their shipping", () => {
  const { chain, checkpoints } = fourSegments();
  const [first, second, third] = checkpoints;
  const notWhole = "which end no segment";
  expect(refusal(chain, releaseOf(first, "exported", { through: 1n }), audit)).toContain(notWhole);
  expect(refusal(chain, releaseOf(first, "exported", { hash: Buffer.alloc(32, 1) }), audit)).toContain(notWhole);
  expect(refusal(chain, releaseOf(third, "exported"), audit)).toContain(notWhole);
  expect(refusal(chain, releaseOf(first, "shipped"), audit)).toContain("were released and not shipped");
  linked(chain, { which: "shipped", shipped: (first?.record.sequence ?? 0n) - 1n }, audit);
  linked(chain, releaseOf(first, "shipped"), audit);
  expect(chain.segments).toHaveLength(3);
  expect(refusal(chain, releaseOf(second, "shipped"), audit)).toContain("were released and not shipped");
  linked(chain, releaseOf(second, "exported"), audit);
  expect(chain.segments).toHaveLength(2);
  expect(refusal(chain, releaseOf(first, "exported"), audit)).toContain(notWhole);
});

test("refuses a record of shipping progress that names a sequence after the newest record", () => {
  expect(refusal(booted(), { which: "shipped", shipped: 2n }, audit)).toBe(
    "record 2 is said to be shipped, and is not there yet",
  );
});
