// Renders records for an outside collector: OpenTelemetry's log records in JSON. A log record contains names from the
// page, counts, outcomes and times. It contains no text of a person, a model or a tool, and no digest against which a
// guess could be checked.

import type { AuditEntry, AuditRecord } from "../../../lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../verify.ts";

/** The system, its version and the disk from which the records come, and the tools of its page. */
export interface Origin {
  readonly systemId: string;
  readonly version: string;
  /** The audit key in hexadecimal, which identifies the disk. */
  readonly instance: string;
  /** Names of the page's tools; any other name was made up by a model. */
  readonly tools: ReadonlySet<string>;
}

export type Fact = readonly [name: string, value: string | number | bigint];

/** Severity numbers of OpenTelemetry. */
const [INFO, WARN] = [9, 13];

/**
 * The form of capc's own event names. A collector gets the name of a session event only if it has this form; details
 * stay on the machine.
 */
const WORDS_OF_OURS = /^[a-z ]{1,32}$/;

/** Renders records as the body of one OTLP request to the collector. */
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

/** Returns whether an entry is the outcome of a call and differs from `ok`. */
export function isWarning(entry: AuditEntry): boolean {
  return entry.which === "outcome" && entry.outcome.outcome !== "ok";
}

/** Returns all attributes of a record that a collector gets; they are the same in every format. */
export function recordFacts({ record, hash }: VerifiedRecord, tools: ReadonlySet<string>): readonly Fact[] {
  const { sequence, writer, monotonicMs, wallSource, bootId, policyDigest, entry } = record;
  return [
    // Together these attributes identify a record, so that the collector can detect a record that arrives twice.
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
 * Returns the attributes that depend on the kind of entry. `hash` is sent for seals only. A seal contains the next key,
 * which cannot be guessed, so its hash reveals nothing.
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
        // `capos.sent` is 1 if the call was sent without an intent, and empty otherwise: an intent already shows that
        // its call was sent.
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
    case "checkpoint":
      return [["capos.segments", entry.checkpoint.segments.length]];
    case "released":
      return [["capos.released", entry.released.through]];
  }
}

function callFacts(
  call: Extract<AuditEntry, { which: "intent" }>["intent"],
  tools: ReadonlySet<string>,
): readonly Fact[] {
  const { descriptor, session, principal, turn, model, backend, runner, form, decision, rule, consent, release } = call;
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
    ["capos.release.rule", release.rule],
    ["capos.release.from", release.from],
    ["capos.release.to", release.to],
  ];
}

function makeAttributes(facts: readonly Fact[]): readonly object[] {
  return facts
    .filter(([, value]) => value !== "")
    .map(([key, value]) => ({
      key,
      // OpenTelemetry writes 64-bit numbers as texts, so that JSON loses no digits.
      value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
    }));
}

function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/**
 * Returns whether a record is about shipping, or is a seal, a checkpoint or a release. If only such records were shipped, the progress is
 * not recorded: each progress record would cause another.
 */
export function isOwn({ entry }: Pick<AuditRecord, "entry">): boolean {
  return ["shipped", "seal", "checkpoint", "released"].includes(entry.which);
}
