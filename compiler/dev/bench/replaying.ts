// Compares `capc replay` of a log of 100,000 records with `capc audit verify`, which also reads all of it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry, CallRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { BLOCK_BYTES, encodeBatch } from "../../../engine/processes/audit/block.ts";
import { Chain, type Link, type Stamp } from "../../../engine/processes/audit/chain.ts";
import { NOTHING_WITHHELD } from "../../../engine/processes/audit/withheld.ts";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { writeLargePage } from "./large-page.ts";
import { measureCpuSeconds } from "./measure.ts";

const CALLS = 50_000;
/** Number of records of one batch: records that arrived while the disk was busy are written together. */
const TOGETHER = 8;
const TURNS = 5000;
const SERVICES = 10;
/** Promised maximum cost of a replay, as a multiple of the cost of reading the log. */
const MOST = 2;
const NOTHING = new Uint8Array(0);
const BOOT_ID = new Uint8Array(16).fill(1);
const DIGEST = new Uint8Array(32).fill(1);

export async function measureReplaying(bench: Bench): Promise<Figure[]> {
  const page = writeLargePage(join(bench.scratch, "replaying"), 4 * SERVICES, 1);
  const log = join(bench.scratch, "replaying.log");
  writeFileSync(log, logBytes());
  const launcher = await bench.packed();
  const measureSeconds = (...words: readonly string[]) =>
    measureCpuSeconds(bench.runs, bench.checkout, [process.execPath, launcher, ...words]);
  const read = measureSeconds("audit", "verify", log);
  const value = measureSeconds("replay", log, "--policy", page);
  const against = limit(read * MOST, "twice capc audit verify");
  return [{ name: `capc replay, ${2 * CALLS} records`, value, unit: "CPU s", against }];
}

/** Returns a log of writes to which people consented, in the form of a gate's records. */
function logBytes(): Buffer {
  const chain = new Chain();
  const links: Link[] = [];
  const add = (entry: AuditEntry): bigint => {
    const link = chain.append(entry, stampOf(links.length));
    if (!link.ok) throw new Error(link.reason);
    links.push(link.value);
    return link.value.record.sequence;
  };
  add({ which: "boot", boot: { systemId: "large", version: "1.0.0", recovered: 0, orphans: [] } });
  for (let count = 0; count < CALLS; count += 1) {
    const call = callOf(count);
    const intent = add({ which: "intent", intent: call });
    add({ which: "outcome", outcome: { ...call, intent } });
  }
  return encodeBlocks(links);
}

function encodeBlocks(links: readonly Link[]): Buffer {
  const batches: Buffer[] = [];
  let place = 0;
  for (let at = 0; at < links.length; at += TOGETHER) {
    const batch = links.slice(at, at + TOGETHER);
    const previous = batch[0]?.record.previous ?? NOTHING;
    const blocks = encodeBatch(Buffer.concat(batch.map(({ bytes }) => bytes)), { place, bootId: BOOT_ID, previous });
    batches.push(blocks);
    place += blocks.length / BLOCK_BYTES;
  }
  return Buffer.concat(batches);
}

function stampOf(count: number): Stamp {
  const ms = BigInt(count) * 1000n;
  const time = { monotonicMs: ms, wallMs: 1_800_000_000_000n + ms, wallSource: "rtc" };
  return { writer: "gate.session0", bootId: BOOT_ID, policyDigest: DIGEST, ...time };
}

function callOf(count: number): CallRecord {
  const name = `s${count % SERVICES}.write`;
  const none = { description: "", interfaceId: 0n, methodName: "write", paramSchema: "{}", category: "mutatingLocal" };
  return {
    session: "session0",
    principal: "",
    conversation: "c1",
    turn: count % TURNS,
    callId: `call-${count}`,
    model: "stub",
    backend: "canned",
    nonce: NOTHING,
    runner: "capos-side",
    gateway: "",
    descriptor: { name, ...none, permission: "consent" },
    arguments: `{"content":"${count}","path":"drafts/${count % 100}.txt"}`,
    decision: "consented",
    outcome: "ok",
    resultHash: NOTHING,
    error: "",
    rule: "session0/consent mutatingLocal",
    intent: 0n,
    descriptors: NOTHING,
    consent: 0,
    sent: false,
    form: "json",
    askedMs: 0,
    surface: "",
    release: { rule: "", act: "", from: "", to: "" },
    ...NOTHING_WITHHELD,
  };
}
