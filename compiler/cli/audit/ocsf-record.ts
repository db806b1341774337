// A record again of its event in the form of OCSF: the other direction of `ocsf.ts` beside it. Nothing of a record is lost in that form but
// the hash of the one before, which that one's event has.

import { EMPTY_HASH } from "./exported.ts";

/** A value inside of others; nothing where one of them is missing, or no object. */
function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    const inner: unknown = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
    found = inner;
  }
  return found;
}

export function isOcsf(value: unknown): boolean {
  return typeof at(value, "class_uid") === "number";
}

/** The events of one file, in their order. */
export class OcsfEvents {
  #previous = EMPTY_HASH;

  /** What `capc audit export` prints of the same record. What is no such event is no record either. */
  lineOf(event: unknown): unknown {
    const of = (...names: readonly string[]) => at(event, ...names);
    const hash = of("metadata", "uid");
    const previous = this.#previous;
    this.#previous = typeof hash === "string" ? hash : EMPTY_HASH;
    const entry = entryOf(event);
    return {
      hash,
      schemaVersion: 1,
      bootId: of("unmapped", "bootId"),
      sequence: of("metadata", "sequence"),
      previous,
      monotonicMs: of("unmapped", "monotonicMs"),
      wallMs: of("time"),
      wallSource: of("unmapped", "wallSource"),
      policyDigest: of("unmapped", "policyDigest"),
      writer: of("unmapped", "writer"),
      entry,
    };
  }
}

const START = 3;
const OF_RECORD = new Set(["writer", "bootId", "policyDigest", "monotonicMs", "wallSource"]);

function entryOf(event: unknown): object {
  const unmapped = own(at(event, "unmapped"));
  if (at(event, "class_uid") === 6003)
    return "descriptor" in unmapped ? callEntry(event, unmapped) : inferenceEntry(event, unmapped);
  if (at(event, "activity_id") === START) {
    const boot = { systemId: at(event, "app", "name"), version: at(event, "app", "version"), ...unmapped };
    return { which: "boot", boot };
  }
  if ("signature" in unmapped) return { which: "seal", seal: unmapped };
  if ("shipped" in unmapped) return { which: "shipped", shipped: unmapped["shipped"] };
  const session = { name: at(event, "app", "name"), event: at(event, "activity_name"), detail: at(event, "message") };
  return { which: "session", session };
}

function own(unmapped: unknown): Readonly<Record<string, unknown>> {
  const entries = typeof unmapped === "object" && unmapped !== null ? Object.entries(unmapped) : [];
  return Object.fromEntries(entries.filter(([name]) => !OF_RECORD.has(name)));
}

function callEntry(event: unknown, unmapped: Readonly<Record<string, unknown>>): object {
  const outcome = at(event, "status");
  const which = outcome === undefined ? "intent" : "outcome";
  const call = {
    ...unmapped,
    session: sessionOf(event),
    principal: at(event, "actor", "user", "name") ?? "",
    callId: at(event, "api", "request", "uid"),
    runner: at(event, "actor", "app_name"),
    outcome: outcome ?? "ok",
    error: at(event, "status_detail") ?? "",
  };
  return { which, [which]: call };
}

function inferenceEntry(event: unknown, unmapped: Readonly<Record<string, unknown>>): object {
  const service = at(event, "api", "service");
  const named = { session: sessionOf(event), backend: at(service, "name"), model: at(service, "version") };
  return { which: "inference", inference: { ...unmapped, ...named, nonce: at(event, "api", "request", "uid") } };
}

/** Behind the boot: `0101…:operator`. */
function sessionOf(event: unknown): unknown {
  const uid = at(event, "actor", "session", "uid");
  return typeof uid === "string" ? uid.slice(uid.indexOf(":") + 1) : undefined;
}
