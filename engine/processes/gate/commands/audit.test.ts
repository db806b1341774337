// Tests how the gate describes the newest records of the audit log to a person.
import { expect, test } from "vitest";
import type { AuditEntry, CallRecord } from "../../../lib/wire/generated/audit.ts";
import { NOTHING_WITHHELD } from "../../audit/withheld.ts";
import { never } from "../testing/calls.ts";
import { Stage } from "../testing/stage.ts";
import { answerCommand } from "./index.ts";

const HASH = new Uint8Array(32);
const NONE = new Uint8Array(0);
const CALL: CallRecord = {
  ...{ session: "operator", principal: "", conversation: "main", turn: 1, callId: "1", model: "", backend: "" },
  ...{ nonce: HASH, runner: "person", descriptors: HASH, gateway: "", arguments: '{"path":"a → b"}' },
  descriptor: {
    ...{ name: "notes.write", description: "", interfaceId: 0n, methodName: "", paramSchema: "" },
    ...{ permission: "auto", category: "" },
  },
  ...{ decision: "auto", outcome: "ok", resultHash: HASH, error: "", rule: "", intent: 0n, consent: 0, sent: false },
  form: "json",
  askedMs: 0,
  surface: "",
  release: { rule: "", act: "", from: "", to: "" },
  ...NOTHING_WITHHELD,
};
const SIGNED: CallRecord = { ...CALL, runner: "capos-side", principal: "alice", decision: "stepUpSucceeded" };
const USAGE = { promptTokens: 3, outputTokens: 4 };

/** Returns a gate whose audit log ends with these entries, and a function that runs `/audit`. */
function logged(...entries: readonly AuditEntry[]) {
  const stage = new Stage();
  stage.entries.push(...entries);
  const parts = { gate: stage.gate, held: new Map(), supervisor: stage.audit };
  return { stage, audit: (count = "") => answerCommand(parts, "audit", count, never) };
}

test("/audit shows each record in one line, and spells out arrows in arguments, because an arrow marks an outcome", async () => {
  const answer = { session: "operator", conversation: "main", turn: 2, model: "m", backend: "deep", nonce: HASH };
  const { audit } = logged(
    { which: "boot", boot: { systemId: "sample", version: "1.0.0", recovered: 0, orphans: [] } },
    { which: "session", session: { name: "operator", event: "revoked", detail: "notes", digest: NONE } },
    { which: "seal", seal: { epoch: 7, key: HASH, next: HASH, signature: HASH } },
    { which: "shipped", shipped: 5n },
    {
      which: "inference",
      inference: { ...answer, usage: USAGE, earlier: 0, messages: [], recalled: [], masked: [], isWithheld: false },
    },
    { which: "intent", intent: CALL },
    { which: "outcome", outcome: { ...SIGNED, outcome: "timedOut" } },
  );
  expect((await audit()).slice(0, 7)).toEqual([
    "1 boot of sample 1.0.0",
    "2 revoked notes",
    "3 seal 7",
    "4 shipped up to 5",
    "5 answer of deep in turn 2: 3 tokens read, 4 written",
    '6 intent: 1 of person notes.write {"path":"a ‹U+2192› b"} auto',
    '7 outcome: 1 of capos-side notes.write {"path":"a ‹U+2192› b"} stepUpSucceeded (alice) → timedOut',
  ]);
});

test("/audit shows ten records, or the given number", async () => {
  const many = Array.from({ length: 101 }, (_, index): AuditEntry => ({ which: "shipped", shipped: BigInt(index) }));
  const { audit } = logged(...many);
  expect([(await audit()).length, (await audit("1")).length, (await audit("100")).length]).toEqual([11, 2, 101]);
  expect(await audit("101")).toEqual(["/audit takes a number from 1 to 100"]);
});

test("/audit shows how far the log is sealed and shipped, then the key, then the chain's end", async () => {
  const { stage, audit } = logged();
  stage.key = new Uint8Array(2).fill(9);
  stage.sealed = 4n;
  stage.shipping = "the collector has all";
  const end = `the chain ends at 0, sha256 ${"0".repeat(64)}`;
  expect(await audit()).toEqual(["sealed up to 4, audit key 0909", "the collector has all", end]);
});
