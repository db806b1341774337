// Converts an OCSF event back to its record, the reverse of `ocsf.ts`. Most events lack the hash of the previous record,
// which the previous event has. A checkpoint has this hash, because an export may begin with a checkpoint.

import { EMPTY_HASH } from "./exported.ts";

/** Returns a nested value, or `undefined` if one of the names is missing or not an object. */
function getNested(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    const inner: unknown = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
    found = inner;
  }
  return found;
}

export function isOcsf(value: unknown): boolean {
  return typeof getNested(value, "class_uid") === "number";
}

/** Converts the OCSF events of one file back to the records from which they were made. */
export class OcsfEvents {
  #previous = EMPTY_HASH;

  /**
   * Converts an event to the record that `capc audit export` prints as JSON lines. From an event of another program, it
   * makes an incomplete record, which does not verify.
   */
  restoreLine(event: unknown): unknown {
    const getValue = (...names: readonly string[]) => getNested(event, ...names);
    const hash = getValue("metadata", "uid");
    const previous = getValue("unmapped", "previous") ?? this.#previous;
    this.#previous = typeof hash === "string" ? hash : EMPTY_HASH;
    const entry = restoreEntry(event);
    return {
      hash,
      schemaVersion: 1,
      bootId: getValue("unmapped", "bootId"),
      sequence: getValue("metadata", "sequence"),
      previous,
      monotonicMs: getValue("unmapped", "monotonicMs"),
      wallMs: getValue("time"),
      wallSource: getValue("unmapped", "wallSource"),
      policyDigest: getValue("unmapped", "policyDigest"),
      writer: getValue("unmapped", "writer"),
      entry,
    };
  }
}

const START = 3;
const OF_RECORD = new Set(["writer", "bootId", "policyDigest", "monotonicMs", "wallSource", "previous"]);

function restoreEntry(event: unknown): object {
  const unmapped = filterOwn(getNested(event, "unmapped"));
  if (getNested(event, "class_uid") === 6003)
    return "descriptor" in unmapped ? callEntry(event, unmapped) : restoreInference(event, unmapped);
  if (getNested(event, "activity_id") === START) {
    const boot = {
      systemId: getNested(event, "app", "name"),
      version: getNested(event, "app", "version"),
      ...unmapped,
    };
    return { which: "boot", boot };
  }
  if ("signature" in unmapped) return { which: "seal", seal: unmapped };
  if ("segments" in unmapped) return { which: "checkpoint", checkpoint: unmapped };
  if ("through" in unmapped) return { which: "released", released: unmapped };
  if ("shipped" in unmapped) return { which: "shipped", shipped: unmapped["shipped"] };
  const session = {
    name: getNested(event, "app", "name"),
    event: getNested(event, "activity_name"),
    detail: getNested(event, "message"),
    digest: unmapped["digest"] ?? "",
  };
  return { which: "session", session };
}

function filterOwn(unmapped: unknown): Readonly<Record<string, unknown>> {
  const entries = typeof unmapped === "object" && unmapped !== null ? Object.entries(unmapped) : [];
  return Object.fromEntries(entries.filter(([name]) => !OF_RECORD.has(name)));
}

function callEntry(event: unknown, unmapped: Readonly<Record<string, unknown>>): object {
  const outcome = getNested(event, "status");
  const which = outcome === undefined ? "intent" : "outcome";
  const call = {
    ...unmapped,
    session: readSession(event),
    principal: getNested(event, "actor", "user", "name") ?? "",
    callId: getNested(event, "api", "request", "uid"),
    runner: getNested(event, "actor", "app_name"),
    outcome: outcome ?? "ok",
    error: getNested(event, "status_detail") ?? "",
  };
  return { which, [which]: call };
}

function restoreInference(event: unknown, unmapped: Readonly<Record<string, unknown>>): object {
  const service = getNested(event, "api", "service");
  const named = {
    session: readSession(event),
    backend: getNested(service, "name"),
    model: getNested(service, "version"),
  };
  return { which: "inference", inference: { ...unmapped, ...named, nonce: getNested(event, "api", "request", "uid") } };
}

/**
 * Returns the session of a value such as `0101…:operator`, which consists of the boot's id, a colon and the session.
 */
function readSession(event: unknown): unknown {
  const uid = getNested(event, "actor", "session", "uid");
  return typeof uid === "string" ? uid.slice(uid.indexOf(":") + 1) : undefined;
}
