import { duplexPair } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { AuditLog } from "../../lib/wire/generated/wire.ts";
import { connect } from "../../lib/wire/index.ts";
import { createLogBytes } from "./device.ts";
import { openStore } from "./opening.ts";
import { type Log, serveAudit } from "./serve.ts";
import type { Store } from "./store.ts";
import { FailingDisk } from "./testing/disk.ts";
import { bootOf, createBoot, intentOf, outcomeOf, POLICY_DIGEST, sessionOf } from "./testing/sample.ts";
import { type VerifiedRecord, verify } from "./verify.ts";

const { append, status, tail } = AuditLog.methods;

let disk: FailingDisk;
let store: Store;
beforeEach(async () => {
  disk = new FailingDisk();
  const opened = await openStore(disk.plugged(), createBoot(1));
  if (!opened.ok) throw new Error(opened.reason);
  store = opened.value;
});

/** Returns a holder's connection, and a promise that resolves when the provider closes it. */
function holder(name: string, log: Log = { store, policyDigest: POLICY_DIGEST }) {
  const [stream, there] = duplexPair();
  const serving = serveAudit({ stream: there, holder: name }, log);
  return { audit: connect(stream), stream, serving };
}

function recorded(): VerifiedRecord[] {
  const found: VerifiedRecord[] = [];
  verify(createLogBytes(disk.bytes), (one) => found.push(one));
  return found;
}

test("a record contains the name of its connection's holder, and the reply contains the record's sequence", async () => {
  const { audit } = holder("gate.operator");
  const reply = await audit.call(append, { entry: intentOf() });
  expect(reply).toMatchObject({ ok: true, value: { sequence: 3n } });
  expect(recorded().at(-1)?.record.writer).toBe("gate.operator");
  expect(await audit.call(status, {})).toMatchObject({
    ok: true,
    value: { durable: true, sequence: 3n, hash: new Uint8Array(recorded().at(-1)?.hash ?? []) },
  });
});

test("a holder cannot record the outcome of another holder's call", async () => {
  const [operator, visitor] = [holder("gate.operator").audit, holder("gate.visitor").audit];
  await operator.call(append, { entry: intentOf() });
  expect(await visitor.call(append, { entry: outcomeOf(3n) })).toMatchObject({ ok: false, code: "failed" });
  expect(await operator.call(append, { entry: outcomeOf(3n) })).toMatchObject({ ok: true });
});

test("only the audit may record boots, seals and a collector's progress", async () => {
  const { audit } = holder("gate.operator");
  const seal = { epoch: 1, key: new Uint8Array(32), next: new Uint8Array(32), signature: new Uint8Array(64) };
  expect(await audit.call(append, { entry: { which: "seal", seal } })).toMatchObject({ ok: false, code: "malformed" });
  expect(await audit.call(append, { entry: bootOf() })).toMatchObject({ ok: false, code: "malformed" });
  const shipped: AuditEntry = { which: "shipped", shipped: 1000n };
  expect(await audit.call(append, { entry: shipped })).toMatchObject({ ok: false, code: "malformed" });
  expect(recorded().length).toBe(2);
});

test("a reader of the newest records gets only its own records and the boot records", async () => {
  const [operator, visitor] = [holder("gate.operator").audit, holder("gate.visitor").audit];
  await operator.call(append, { entry: intentOf({ arguments: '{"path":"secret"}' }) });
  await visitor.call(append, { entry: sessionOf("visitor") });
  const seen = await visitor.call(tail, { count: 10 });
  expect(seen.ok && seen.value.records.map(({ entry }) => entry.which)).toEqual(["boot", "session"]);
});

test("entries of many concurrent holders form one chain", async () => {
  const gates = Array.from({ length: 5 }, (_, index) => holder(`gate.${index}`).audit);
  const entries = Array.from({ length: 20 }, (_, index): AuditEntry => sessionOf(`${index}`));
  const replies = await Promise.all(gates.flatMap((gate) => entries.map((entry) => gate.call(append, { entry }))));
  const sequences = replies.map((reply) => (reply.ok ? reply.value.sequence : 0n)).sort((a, b) => Number(a - b));
  expect(sequences).toEqual(Array.from({ length: 100 }, (_, index) => BigInt(index + 3)));
  expect(recorded().length).toBe(102);
});

test("disconnects a holder that breaks the protocol, and records the violation", async () => {
  const { stream, serving } = holder("gate.operator");
  stream.write(Buffer.alloc(64, 0xff));
  expect((await serving.closed).fault).toBe(true);
  // Appends are written in order of arrival, so the next record is written after the expected one.
  await holder("gate.visitor").audit.call(append, { entry: sessionOf("next") });
  expect(recorded().at(-2)?.record).toMatchObject({
    writer: "gate.operator",
    entry: { session: { name: "gate.operator", event: "cut off" } },
  });
});

for (const [hasDisk, reason, refusal] of [
  [false, "there is no data disk", ""],
  [true, "the audit log cannot be opened: EROFS", "the audit log cannot be opened: EROFS"],
] as const) {
  test(`${hasDisk ? "with" : "without"} a disk, an audit without a store reports that nothing is durable, and refuses an append with the reason`, async () => {
    const { audit } = holder("gate.operator", { store: undefined, hasDisk, reason, policyDigest: POLICY_DIGEST });
    const policyDigest = new Uint8Array(POLICY_DIGEST);
    expect(await audit.call(status, {})).toMatchObject({
      ok: true,
      value: { durable: false, sequence: 0n, hash: new Uint8Array(32), policyDigest, refusal },
    });
    const refused = { ok: false, code: "failed", reason };
    expect(await audit.call(append, { entry: intentOf() })).toMatchObject(refused);
    expect(await audit.call(tail, { count: 1 })).toMatchObject(refused);
  });
}
