// Converts a record to an event of the Open Cybersecurity Schema Framework, for systems that collect such events. A
// call has the class API Activity; a boot and changes of a session have the class Application Lifecycle. Fields without
// a place in the schema are in `unmapped`, under capc's names.

import type { AuditEntry, AuditRecord, CallRecord, InferenceRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import { encodeHex, renderJson } from "./record-text.ts";

/**
 * Version of the OCSF schema: the first that has all fields used here. The newest of these fields is an actor's
 * `app_name`.
 */
const VERSION = "1.2.0";
const APPLICATION = 6;
const LIFECYCLE = 6002;
const API = 6003;
const [START, STOP, READ, OTHER] = [3, 4, 2, 99];
const [UNKNOWN, SUCCESS, FAILURE] = [0, 1, 2];
const [INFORMATIONAL, LOW] = [1, 2];

/** Returns one event as one line of JSON. */
export function renderOcsf({ record, hash }: VerifiedRecord): string {
  const { sequence, writer, bootId, wallMs, monotonicMs, wallSource, policyDigest, entry } = record;
  const event = createEvent(record, entry);
  return renderJson({
    ...event,
    category_uid: APPLICATION,
    type_uid: event.class_uid * 100 + event.activity_id,
    time: wallMs,
    metadata: {
      version: VERSION,
      product: { name: "capc audit", vendor_name: "capOS" },
      log_name: "audit",
      uid: encodeHex(hash),
      sequence,
      correlation_uid: `${encodeHex(bootId)}:${deriveCorrelation(record)}`,
    },
    unmapped: { writer, bootId, policyDigest, monotonicMs, wallSource, ...event.unmapped },
  });
}

type Event = Readonly<Record<string, unknown>> & {
  readonly class_uid: number;
  readonly activity_id: number;
  readonly activity_name: string;
  readonly severity_id: number;
  readonly status_id: number;
  readonly unmapped: object;
};

/** Returns the number that the events of one call share, so that readers can connect an intent with its outcome. */
function deriveCorrelation({ sequence, entry }: AuditRecord): bigint {
  return entry.which === "outcome" && entry.outcome.intent !== 0n ? entry.outcome.intent : sequence;
}

function createEvent({ bootId, writer, previous }: AuditRecord, entry: AuditEntry): Event {
  switch (entry.which) {
    case "boot": {
      const { systemId, version, recovered, orphans } = entry.boot;
      const app = { name: systemId, version, vendor_name: "capOS" };
      return { ...createLifecycle(START, "boot"), app, unmapped: { recovered, orphans } };
    }
    case "session": {
      const { name, event, detail, digest } = entry.session;
      const happened = createLifecycle(event === "ended" ? STOP : OTHER, event);
      const unmapped = digest.length === 0 ? {} : { digest };
      return { ...happened, app: { name, vendor_name: "capOS" }, message: detail, unmapped };
    }
    case "seal": {
      const { epoch, key, next, signature } = entry.seal;
      return {
        ...createLifecycle(OTHER, "seal"),
        app: { name: writer, vendor_name: "capOS" },
        unmapped: { epoch, key, next, signature },
      };
    }
    case "shipped":
      return {
        ...createLifecycle(OTHER, "shipped"),
        app: { name: writer, vendor_name: "capOS" },
        unmapped: { shipped: entry.shipped },
      };
    case "checkpoint":
      return {
        ...createLifecycle(OTHER, "checkpoint"),
        app: { name: writer, vendor_name: "capOS" },
        unmapped: { ...entry.checkpoint, previous },
      };
    case "released":
      return {
        ...createLifecycle(OTHER, "released"),
        app: { name: writer, vendor_name: "capOS" },
        unmapped: entry.released,
      };
    case "inference":
      return createInferenceEvent(entry.inference, writer, bootId);
    case "intent":
      return callEvent(entry.intent, writer, bootId, undefined);
    case "outcome":
      return callEvent(entry.outcome, writer, bootId, entry.outcome.outcome);
  }
}

function createLifecycle(activity_id: number, activity_name: string) {
  return { class_uid: LIFECYCLE, activity_id, activity_name, severity_id: INFORMATIONAL, status_id: SUCCESS };
}

/** Returns the event of a model's response; it contains only digests of the prompt and the response. */
function createInferenceEvent(inference: InferenceRecord, writer: string, bootId: Uint8Array): Event {
  const { session, backend, model, nonce, ...rest } = inference;
  return {
    class_uid: API,
    activity_id: OTHER,
    activity_name: "inference",
    severity_id: INFORMATIONAL,
    status_id: SUCCESS,
    actor: { session: { uid: `${encodeHex(bootId)}:${session}` }, app_name: "capos-side" },
    api: { operation: "inference", service: { name: backend, version: model }, request: { uid: encodeHex(nonce) } },
    src_endpoint: { name: writer },
    unmapped: rest,
  };
}

/** Returns the event of a call. `outcome` is `undefined` for an intent, because the call then has no outcome yet. */
function callEvent(call: CallRecord, writer: string, bootId: Uint8Array, outcome: string | undefined): Event {
  const { session, principal, callId, descriptor, error, conversation, turn, runner } = call;
  const isRead = descriptor.category === "readOnly";
  const status = outcome === undefined ? UNKNOWN : outcome === "ok" ? SUCCESS : FAILURE;
  const event = {
    class_uid: API,
    activity_id: isRead ? READ : OTHER,
    activity_name: outcome === undefined ? `intent: ${descriptor.category}` : descriptor.category,
    severity_id: status === FAILURE ? LOW : INFORMATIONAL,
    status_id: status,
    ...(outcome === undefined ? {} : { status: outcome }),
    ...(error === "" ? {} : { status_detail: error }),
    actor: {
      session: { uid: `${encodeHex(bootId)}:${session}` },
      ...(principal === "" ? {} : { user: { name: principal } }),
      app_name: runner,
    },
    api: {
      operation: descriptor.name,
      service: { name: descriptor.name.split(".")[0] ?? "" },
      request: { uid: callId },
      ...(outcome === undefined ? {} : { response: { message: outcome, ...(error === "" ? {} : { error }) } }),
    },
    src_endpoint: { name: writer },
    unmapped: { conversation, turn, ...selectRest(call) },
  };
  return event;
}

/** Returns the fields of the record of a call for which OCSF has no field. */
function selectRest(call: CallRecord): object {
  const { model, backend, nonce, gateway, descriptor, decision, resultHash, rule, intent, descriptors, consent } = call;
  return {
    model,
    backend,
    nonce,
    gateway,
    descriptor,
    arguments: call.arguments,
    decision,
    resultHash,
    rule,
    intent,
    descriptors,
    consent,
    sent: call.sent,
    form: call.form,
    askedMs: call.askedMs,
    surface: call.surface,
    argumentsHash: call.argumentsHash,
    isWithheld: call.isWithheld,
    isResultWithheld: call.isResultWithheld,
    errorHash: call.errorHash,
    release: call.release,
  };
}
