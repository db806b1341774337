import type { AuditKeep } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundAudit } from "../bind/index.ts";

/**
 * Returns how long a full audit log keeps its oldest records: always, until a person has exported them, or until the
 * collector has them.
 */
export function encodeKeep(audit: BoundAudit | undefined): AuditKeep {
  const until = audit?.keep?.until;
  return until === undefined ? "always" : ({ exported: "untilExported", shipped: "untilShipped" } as const)[until];
}

/** Returns what happens to the records of a full log, as a sentence. */
export function describeKeep(keep: AuditKeep): string {
  switch (keep) {
    case "always":
      return "A full log keeps its records, and no call runs.";
    case "untilShipped":
      return "A full log releases its oldest records once the collector has them.";
    case "untilExported":
      return "A full log releases its oldest records at a start, once a person has an export of them.";
  }
}
