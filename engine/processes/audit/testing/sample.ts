// Entries and logs for the tests: small ones that are written by hand, and random ones that follow the rules.

import fc from "fast-check";
import { bug } from "../../../lib/result/bug.ts";
import type { AuditEntry, CallRecord } from "../../../lib/wire/generated/audit.ts";
import { BLOCK_BYTES, encodeBatch } from "../block.ts";
import { Chain, type Link, type Stamp } from "../chain.ts";
import type { SealingKey } from "../key-block.ts";
import { turnKey } from "../seals.ts";
import type { Boot } from "../store.ts";
import { NOTHING_WITHHELD } from "../withheld.ts";

export const POLICY_DIGEST: Uint8Array = Buffer.alloc(32, 0xd1);

/** Returns a boot id of sixteen equal bytes. */
export function bootIdOf(boot: number): Uint8Array {
  return Buffer.alloc(16, boot);
}

/**
 * Returns what the audit knows about one start of the machine, such as the version of the system. `now` is the wall
 * clock, in milliseconds.
 */
export function createBoot(boot: number, now: () => bigint = () => 6n): Boot {
  const time = () => ({ monotonicMs: 5n, wallMs: now(), wallSource: "rtc" });
  const system = { systemId: "first-agent", version: "1.0.0", writer: "audit", time };
  return { ...system, bootId: bootIdOf(boot), policyDigest: POLICY_DIGEST };
}

export function stampOf(boot: number, writer: string): Stamp {
  const time = { monotonicMs: 1234n, wallMs: 1_800_000_000_000n, wallSource: "rtc" };
  return { writer, bootId: bootIdOf(boot), policyDigest: POLICY_DIGEST, ...time };
}

export function callOf(fields: Partial<CallRecord> = {}): CallRecord {
  return {
    session: "operator",
    principal: "",
    conversation: "c1",
    turn: 1,
    callId: "call-1",
    model: "stub",
    backend: "canned",
    nonce: Buffer.from("nonce"),
    runner: "capos-side",
    gateway: "",
    descriptor: {
      name: "notes.read",
      description: "Read a text file.",
      interfaceId: 0x8c2950b4690cf4b0n,
      methodName: "read",
      paramSchema: "{}",
      permission: "auto",
      category: "readOnly",
    },
    arguments: '{"path":"todo.txt"}',
    decision: "auto",
    outcome: "ok",
    resultHash: new Uint8Array(0),
    error: "",
    rule: "permit 1",
    intent: 0n,
    descriptors: new Uint8Array(0),
    consent: 0,
    sent: false,
    form: "json",
    askedMs: 0,
    surface: "",
    release: { rule: "", act: "", from: "", to: "" },
    ...NOTHING_WITHHELD,
    ...fields,
  };
}

export function bootOf(orphans: readonly bigint[] = []): AuditEntry {
  return { which: "boot", boot: { systemId: "first-agent", version: "1.0.0", recovered: 0, orphans } };
}

export function intentOf(fields?: Partial<CallRecord>): AuditEntry {
  return { which: "intent", intent: callOf(fields) };
}

export function outcomeOf(intent: bigint, fields?: Partial<CallRecord>): AuditEntry {
  return { which: "outcome", outcome: callOf({ intent, ...fields }) };
}

export function sessionOf(detail: string): AuditEntry {
  return { which: "session", session: { name: "operator", event: "revoked", detail, digest: new Uint8Array(0) } };
}

/**
 * Appends a record with this entry to the chain, and returns the record with its bytes and its hash. Throws if the
 * rules refuse the record, which is a defect of the test.
 */
export function linked(chain: Chain, entry: AuditEntry, stamp: Stamp): Link {
  const link = chain.append(entry, stamp);
  return link.ok ? link.value : bug(link.reason);
}

/**
 * The secret seed of the first sealing key of the samples' logs; each further sealing key is computed from the key
 * before it.
 */
export const SEED: Uint8Array = Buffer.alloc(32, 0x5e);

/** Appends a seal to the chain and returns its record with bytes and hash; changes `keys` to the next key. */
export function sealed(chain: Chain, keys: { key: SealingKey }, stamp: Stamp): Link {
  const link = chain.seal(keys.key, stamp);
  keys.key = turnKey(keys.key);
  return link.ok ? link.value : bug(link.reason);
}

/** Returns a log of a boot, an intent, its outcome, a session event, and an intent without an outcome. */
export function smallLog(): readonly Link[] {
  const chain = new Chain();
  const gate = stampOf(1, "gate.operator");
  return [
    linked(chain, bootOf(), stampOf(1, "audit")),
    linked(chain, intentOf(), gate),
    linked(chain, outcomeOf(2n, { resultHash: Buffer.alloc(32, 7) }), gate),
    linked(chain, sessionOf("notes"), gate),
    linked(chain, intentOf({ callId: "call-2", rule: "permit 2" }), gate),
  ];
}

/**
 * Returns the blocks of these records, with at most `together` records in each batch; all records of a batch are of the
 * same boot.
 */
export function bytesOf(links: readonly Link[], together = 1): Buffer {
  const batches: Buffer[] = [];
  let place = 0;
  for (let at = 0; at < links.length; ) {
    const batch = batchAt(links, at, together);
    const blocks = blocksOf(batch, place);
    place += blocks.length / BLOCK_BYTES;
    at += batch.length;
    batches.push(blocks);
  }
  return Buffer.concat(batches);
}

function batchAt(links: readonly Link[], at: number, most: number): readonly Link[] {
  const bootId = links[at]?.record.bootId;
  const next = links.slice(at, at + most);
  const other = next.findIndex(({ record }) => bootId === undefined || Buffer.compare(record.bootId, bootId) !== 0);
  return other === -1 ? next : next.slice(0, other);
}

/** Returns the blocks of one batch that begins at block `place`. */
export function blocksOf(links: readonly Link[], place: number): Buffer {
  const { bootId, previous } = links[0]?.record ?? bug("a batch has a record");
  return encodeBatch(Buffer.concat(links.map(({ bytes }) => bytes)), { place, bootId, previous });
}

type Step =
  | { readonly kind: "boot" | "intent" | "session"; readonly gate: number; readonly text: string }
  | { readonly kind: "outcome"; readonly gate: number; readonly text: string; readonly pick: number };

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const gate = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("boot" as const, "intent" as const, "session" as const), gate, text }),
  fc.record({ kind: fc.constant("outcome" as const), gate, text, pick: fc.nat({ max: 9 }) }),
);

/** Any log of at least one record that the rules allow. */
export const anyLog: fc.Arbitrary<readonly Link[]> = fc.array(step, { maxLength: 12 }).map((steps) => {
  const chain = new Chain();
  const open = new Map<bigint, string>();
  let boot = 1;
  const links = [linked(chain, bootOf(), stampOf(boot, "audit"))];
  for (const one of steps) {
    if (one.kind === "boot") boot += 1;
    const writer = one.kind === "boot" ? "audit" : `gate.${one.gate}`;
    const link = linked(chain, entryOf(one, writer, open), stampOf(boot, writer));
    if (one.kind === "boot") open.clear();
    if (one.kind === "intent") open.set(link.record.sequence, writer);
    links.push(link);
  }
  return links;
});

function entryOf(one: Step, writer: string, open: Map<bigint, string>): AuditEntry {
  switch (one.kind) {
    case "boot":
      return bootOf([...open.keys()]);
    case "intent":
      return intentOf({ arguments: one.text });
    case "session":
      return sessionOf(one.text);
    case "outcome": {
      const own = [...open].filter(([, name]) => name === writer).map(([sequence]) => sequence);
      const intent = own[one.pick % (own.length + 1)] ?? 0n;
      open.delete(intent);
      return outcomeOf(intent, { error: one.text });
    }
  }
}
