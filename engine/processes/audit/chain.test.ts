import fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditEntry, AuditRecord } from "../../lib/wire/generated/audit.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { Chain } from "./chain.ts";
import { hashOf, MAX_RECORD_BYTES, NO_HASH, recordFrom } from "./record.ts";
import { anyLog, bootOf, intentOf, linked, outcomeOf, sessionOf, smallLog, stampOf } from "./testing/sample.ts";

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

test("each record names the hash of the whole message before it", () => {
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

test("an intent is open until its outcome", () => {
  const chain = booted();
  linked(chain, intentOf(), gate);
  linked(chain, intentOf(), gate);
  expect(chain.open).toEqual([2n, 3n]);
  linked(chain, outcomeOf(2n), gate);
  expect(chain.open).toEqual([3n]);
});

test("an outcome of a refused call has no intent", () => {
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

test("refuses intents of a writer that never records outcomes", () => {
  const chain = booted();
  for (let count = 0; count < 1024; count += 1) linked(chain, intentOf(), gate);
  expect(refusal(chain, intentOf())).toBe("gate.operator has 1024 intents without an outcome");
  linked(chain, intentOf(), stampOf(1, "gate.visitor"));
});

test("refuses a record above a mebibyte", () => {
  const chain = booted();
  const oneWord = "1234567";
  const { bytes } = linked(chain.copy(), sessionOf(oneWord), gate);
  const most = oneWord.padEnd(oneWord.length + MAX_RECORD_BYTES - bytes.length);
  expect(refusal(chain, sessionOf(`${most}.`))).toContain(`at most ${MAX_RECORD_BYTES} are written`);
  expect(linked(chain, sessionOf(most), gate).bytes.length).toBe(MAX_RECORD_BYTES);
});

test("a copy of a chain does not change the original", () => {
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
