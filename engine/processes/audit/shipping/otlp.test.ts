import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditEntry, InferenceRecord } from "../../../lib/wire/generated/audit.ts";
import { Chain } from "../chain.ts";
import { bootOf, callOf, linked, SEED, sealed, stampOf } from "../testing/sample.ts";
import type { VerifiedRecord } from "../verify.ts";
import { type Origin, renderRequestBody } from "./otlp.ts";

const ORIGIN: Origin = {
  systemId: "first-agent",
  version: "1.0.0",
  instance: "ab".repeat(32),
  tools: new Set(["notes.read"]),
};
const gate = stampOf(1, "gate.operator");

function found(entries: readonly AuditEntry[]): readonly VerifiedRecord[] {
  const chain = new Chain();
  const boot = { systemId: "first-agent", version: "1.0.0", recovered: 7, orphans: [] };
  const links = [{ which: "boot", boot } as const, ...entries].map((entry) => linked(chain, entry, gate));
  return links.map(({ record, hash, bytes }) => ({ record, hash, offset: 0, length: bytes.length }));
}

interface Told {
  readonly timeUnixNano: string;
  readonly severityText: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: string };
  }[];
}

function told(records: readonly VerifiedRecord[]): readonly Told[] {
  return JSON.parse(renderRequestBody(records, ORIGIN)).resourceLogs[0].scopeLogs[0].logRecords;
}

/** The attributes of a record by name. */
function factsIn({ attributes }: Told): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

const inference = (conversation: string): InferenceRecord => ({
  session: "operator",
  conversation,
  turn: 2,
  model: "stub",
  backend: "canned",
  nonce: Buffer.from("nonce"),
  usage: { promptTokens: 5, outputTokens: 3 },
  earlier: 0,
  messages: [{ role: "user", bytes: 9, hash: Buffer.alloc(32, 9) }],
  recalled: [],
  masked: [{ redaction: "cards", places: 2 }],
  isWithheld: false,
});

test("a call's log record has its tool, gate and outcome, and an id that identifies duplicates", () => {
  const outcome = callOf({ intent: 2n, outcome: "deniedByUser", decision: "denied", principal: "alice" });
  const [, intent, end] = told(
    found([
      { which: "intent", intent: callOf() },
      { which: "outcome", outcome },
    ]),
  );
  expect(factsIn(intent ?? { timeUnixNano: "", severityText: "", attributes: [] })).toMatchObject({
    "capos.sequence": "2",
    "capos.boot": "01".repeat(16),
    "capos.tool": "notes.read",
    "capos.decision": "auto",
    "capos.rule": "permit 1",
  });
  expect(end).toMatchObject({ severityText: "WARN", timeUnixNano: "1800000000000000000" });
  expect(end && factsIn(end)).toMatchObject({
    "capos.outcome": "deniedByUser",
    "capos.intent": "2",
    "capos.principal": "alice",
  });
});

test("the log record of an outcome without an intent states that the call was sent", () => {
  const outcomes = [callOf({ sent: true }), callOf({ decision: "forbidden", outcome: "refusedByPolicy" })];
  const [, alone, refused] = told(found(outcomes.map((outcome) => ({ which: "outcome", outcome }) as const)));
  expect(alone && factsIn(alone)).toMatchObject({ "capos.intent": "0", "capos.sent": "1" });
  expect(refused && factsIn(refused)).not.toHaveProperty("capos.sent");
});

test("the log record of a seal contains the hash of the seal's record, but neither the next key nor the signature", () => {
  const chain = new Chain();
  const keys = { key: { epoch: 0, seed: SEED } };
  linked(chain, bootOf(), gate);
  const { record, hash, bytes } = sealed(chain, keys, gate);
  const text = renderRequestBody([{ record, hash, offset: 0, length: bytes.length }], ORIGIN);
  expect(text).toContain(Buffer.from(hash).toString("hex"));
  if (record.entry.which !== "seal") throw new Error("no seal");
  for (const secret of [record.entry.seal.next, record.entry.seal.signature])
    expect(text).not.toContain(Buffer.from(secret).toString("hex"));
});

test("exports neither text of a person, a model or a tool, nor a digest of such text", () => {
  // The texts that capc itself writes contain none of these characters, so any of them in the output was leaked.
  const word = fc.string({ unit: fc.constantFrom("ж", "ω", "\u0000", '"', "\\"), minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(word, fc.uint8Array({ minLength: 32, maxLength: 32 }), (words, digest) => {
      const { descriptor } = callOf();
      const made = { ...descriptor, name: words, description: words, paramSchema: words };
      const call = callOf({
        arguments: words,
        callId: words,
        conversation: words,
        error: words,
        resultHash: digest,
        nonce: digest,
        descriptors: digest,
        descriptor: made,
      });
      const session = { name: words, event: words, detail: words, digest };
      const messages = [{ role: "user" as const, bytes: 3, hash: digest }];
      const text = renderRequestBody(
        found([
          { which: "intent", intent: call },
          { which: "outcome", outcome: { ...call, intent: 2n, outcome: "executionError" } },
          { which: "session", session },
          { which: "inference", inference: { ...inference(words), nonce: digest, messages } },
        ]),
        ORIGIN,
      );
      expect(text).not.toContain(JSON.stringify(words).slice(1, -1));
      expect(text).not.toContain(Buffer.from(digest).toString("hex"));
      expect(JSON.parse(text).resourceLogs[0].scopeLogs[0].logRecords).toHaveLength(5);
    }),
    { numRuns: 30 },
  );
});
