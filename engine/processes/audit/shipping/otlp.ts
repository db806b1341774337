// Renders records for an outside collector: OpenTelemetry's log records in JSON. They contain names from the page, counts, outcomes and
// times. They contain no word of a person, a model or a tool, and no digest with which a guess at one could be checked.

import type { AuditEntry, AuditRecord } from "../../../lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../verify.ts";

/** Origin of the records. */
export interface Origin {
  readonly systemId: string;
  readonly version: string;
  /** The audit key, in hexadecimal: one disk. */
  readonly instance: string;
  /** Names of the page's tools; any other name was made up by a model. */
  readonly tools: ReadonlySet<string>;
}

export type Fact = readonly [name: string, value: string | number | bigint];

/** Severity numbers of OpenTelemetry. */
const [INFO, WARN] = [9, 13];

/** The form of our own event names. A collector gets only such a name of a session event: details stay on the machine. */
const WORDS_OF_OURS = /^[a-z ]{1,32}$/;

/** Renders the body of one request. */
export function renderRequestBody(found: readonly VerifiedRecord[], origin: Origin): string {
  const resource = makeAttributes([
    ["service.name", origin.systemId],
    ["service.version", origin.version],
    ["service.instance.id", origin.instance],
  ]);
  const logRecords = found.map((one) => logRecordOf(one, origin));
  return JSON.stringify({
    resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ scope: { name: "capos.audit" }, logRecords }] }],
  });
}

function logRecordOf(found: VerifiedRecord, { tools }: Origin): object {
  const { writer, wallMs, entry } = found.record;
  const isWrong = isWarning(entry);
  return {
    ...(wallMs === 0n ? {} : { timeUnixNano: String(wallMs * 1_000_000n) }),
    severityNumber: isWrong ? WARN : INFO,
    severityText: isWrong ? "WARN" : "INFO",
    body: { stringValue: `${writer}: ${entry.which}` },
    attributes: makeAttributes(recordFacts(found, tools)),
  };
}

/** A call that did not end well. */
export function isWarning(entry: AuditEntry): boolean {
  return entry.which === "outcome" && entry.outcome.outcome !== "ok";
}

/** Returns all attributes of a record that a collector gets, whatever its format. */
export function recordFacts({ record, hash }: VerifiedRecord, tools: ReadonlySet<string>): readonly Fact[] {
  const { sequence, writer, monotonicMs, wallSource, bootId, policyDigest, entry } = record;
  return [
    // Together they are a record's name: one that comes twice is the same one.
    ["capos.sequence", sequence],
    ["capos.boot", encodeHex(bootId)],
    ["capos.writer", writer],
    ["capos.kind", entry.which],
    ["capos.uptime_ms", monotonicMs],
    ["capos.clock", wallSource],
    ["capos.policy", encodeHex(policyDigest)],
    ...collectFacts(entry, hash, tools),
  ];
}

/**
 * Returns the facts of an entry. `hash` is shipped of a seal only: a seal contains the next key, which nobody can guess, and so its hash
 * reveals nothing.
 */
function collectFacts(entry: AuditEntry, hash: Uint8Array, tools: ReadonlySet<string>): readonly Fact[] {
  switch (entry.which) {
    case "boot":
      return [
        ["capos.recovered_bytes", entry.boot.recovered],
        ["capos.orphans", entry.boot.orphans.length],
      ];
    case "intent":
      return callFacts(entry.intent, tools);
    case "outcome":
      return [
        ...callFacts(entry.outcome, tools),
        ["capos.intent", entry.outcome.intent],
        // Whether it was sent without an intent; for any other call the intent says so.
        ["capos.sent", entry.outcome.sent ? 1 : ""],
        ["capos.outcome", entry.outcome.outcome],
      ];
    case "session":
      return [["capos.event", WORDS_OF_OURS.test(entry.session.event) ? entry.session.event : ""]];
    case "seal":
      return [
        ["capos.epoch", entry.seal.epoch],
        ["capos.sealed_hash", encodeHex(hash)],
      ];
    case "inference": {
      const { session, turn, model, backend, usage, messages, masked } = entry.inference;
      return [
        ["capos.session", session],
        ["capos.turn", turn],
        ["capos.model", model],
        ["capos.backend", backend],
        ["capos.prompt_tokens", usage.promptTokens],
        ["capos.output_tokens", usage.outputTokens],
        ["capos.messages", messages.length],
        ...masked.map(({ redaction, places }): [string, number] => [`capos.masked.${redaction}`, places]),
      ];
    }
    case "shipped":
      return [["capos.shipped", entry.shipped]];
  }
}

function callFacts(
  call: Extract<AuditEntry, { which: "intent" }>["intent"],
  tools: ReadonlySet<string>,
): readonly Fact[] {
  const { descriptor, session, principal, turn, model, backend, runner, form, decision, rule, consent } = call;
  return [
    ["capos.tool", tools.has(descriptor.name) ? descriptor.name : ""],
    ["capos.session", session],
    ["capos.principal", principal],
    ["capos.turn", turn],
    ["capos.model", model],
    ["capos.backend", backend],
    ["capos.runner", runner],
    ["capos.form", form === "json" ? "" : form],
    ["capos.decision", decision],
    ["capos.rule", rule],
    ["capos.consent", consent],
  ];
}

function makeAttributes(facts: readonly Fact[]): readonly object[] {
  return facts
    .filter(([, value]) => value !== "")
    .map(([key, value]) => ({
      key,
      // OpenTelemetry has 64-bit numbers as texts, so that JSON loses none of them.
      value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
    }));
}

function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Whether a record is one that shipping itself makes: of those alone no place is noted, or there would be no end. */
export function isOwn({ entry }: Pick<AuditRecord, "entry">): boolean {
  return entry.which === "shipped" || entry.which === "seal";
}
