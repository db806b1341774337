import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditEntry } from "../../../lib/wire/generated/audit.ts";
import { Chain } from "../chain.ts";
import { callOf, linked, stampOf } from "../testing/sample.ts";
import type { VerifiedRecord } from "../verify.ts";
import type { Origin } from "./otlp.ts";
import { renderMessages } from "./syslog.ts";

const ORIGIN: Origin = {
  systemId: "first-agent",
  version: "1.0.0",
  instance: "ab".repeat(32),
  tools: new Set(["notes.read"]),
};

function found(entries: readonly AuditEntry[], writer = "gate.operator"): readonly VerifiedRecord[] {
  const chain = new Chain();
  const boot = { systemId: "first-agent", version: "1.0.0", recovered: 7, orphans: [] };
  return [{ which: "boot", boot } as const, ...entries].map((entry) => {
    const { record, hash, bytes } = linked(chain, entry, stampOf(1, writer));
    return { record, hash, offset: 0, length: bytes.length };
  });
}

/** The form of RFC 5424 that egress accepts, and the size that RFC 5425 requires every collector to accept. */
const MESSAGE =
  /^<(\d{1,3})>1 (-|\d{4}-\d\d-\d\dT[\d:.]+Z) ([!-~]{1,255}) ([!-~]{1,48}) ([!-~]{1,128}) ([!-~]{1,32}) \[capos@32473( [a-z_]{1,32}="[^"\\\]]*")+\] [ -~]+$/;
const MOST_BYTES = 2048;

test("a message has the record's sequence, time and OTLP attributes, and a refusal has the severity of a warning", () => {
  const outcome = callOf({ intent: 2n, outcome: "deniedByUser", decision: "denied", principal: "alice" });
  const [boot = "", intent = "", end = ""] = renderMessages(
    found([
      { which: "intent", intent: callOf() },
      { which: "outcome", outcome },
    ]),
    ORIGIN,
  );
  for (const message of [boot, intent, end]) expect(message).toMatch(MESSAGE);
  expect(boot).toContain('recovered_bytes="7"');
  expect(intent).toMatch(
    /^<110>1 2027-01-15T08:00:00.000Z first-agent capos-audit (01){16} intent \[capos@32473 version="1.0.0"/,
  );
  expect(intent).toContain(' sequence="2" ');
  expect(intent).toContain(' tool="notes.read" ');
  expect(end).toMatch(/^<108>1 .* principal="alice" .* outcome="deniedByUser"\] gate.operator: outcome$/);
});

test("property: any record becomes a short message of RFC 5424 without text of people, models or tools", () => {
  const word = fc.string({
    unit: fc.constantFrom("\u0436", "\u0000", "\n", '"', "\\", "]", "\u202e", "x"),
    minLength: 0,
    maxLength: 600,
  });
  fc.assert(
    fc.property(word, word, (words, name) => {
      const { descriptor } = callOf();
      const said = `Said ${words}`;
      const made = { ...descriptor, name: said, description: said, paramSchema: said };
      const places = { session: name, principal: name, model: name, backend: name, runner: name, rule: name };
      const call = callOf({
        ...places,
        arguments: said,
        callId: said,
        conversation: said,
        error: said,
        descriptor: made,
      });
      const records = found(
        [
          { which: "intent", intent: call },
          { which: "outcome", outcome: { ...call, intent: 2n, outcome: "executionError" } },
          { which: "session", session: { name, event: said, detail: said, digest: Buffer.from(said) } },
        ],
        name,
      );
      for (const message of renderMessages(records, { ...ORIGIN, systemId: name, version: name })) {
        expect(message).toMatch(MESSAGE);
        expect(message.length).toBeLessThanOrEqual(MOST_BYTES);
        expect(message).not.toContain("Said ");
      }
    }),
    { numRuns: 30 },
  );
});
