import type { Label, LabelRange } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundLabel, BoundRange, Lattice, Method, Service } from "../bind/index.ts";
import { findReachableServices, type Services } from "./grants-between-services.ts";

// Defaults of labels in the tables (ruling 10). Without a set there are no compartments. Without integrity, data has its provider's, and
// a sink demands none. A provider without a label is public and untrusted.

const LOWEST: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

/** A label with the integrity to take where none is written. */
export function resolveLabel(label: BoundLabel | undefined, integrity: number): Label {
  if (label === undefined) return { ...LOWEST, integrity };
  const { confidentiality, compartments } = label;
  return { confidentiality, integrity: label.integrity ?? integrity, compartments };
}

/** The range of labels that a service may hold. If one end is not trusted, the high one says so. */
export function getServiceRange(service: Service): LabelRange {
  return resolveRange(service.label, 0);
}

/** Returns the label range of a method's results: its own fact, else its service's label. */
export function getResultRange(service: Service, method: Method): LabelRange {
  return method.returns === undefined
    ? getServiceRange(service)
    : resolveRange(method.returns, getServiceRange(service).high.integrity);
}

function resolveRange(range: BoundRange | undefined, integrity: number): LabelRange {
  const high = resolveLabel(range?.high, range?.low.integrity ?? integrity);
  return { low: resolveLabel(range?.low, high.integrity), high };
}

/**
 * Ruling 11: where arguments flow to. Without a network grant: the provider itself, no further than its method sends, and the
 * services that it may use, because it may pass arguments on to them. With one, what it may send.
 */
export function computeSink(service: Service, method: Method, services: Services): Label {
  const own = service.networked ? resolveLabel(method.sends, 0) : narrowOwn(getServiceRange(service).high, method);
  return findReachableServices(service, services)
    .filter(({ networked }) => !networked)
    .map((held) => getServiceRange(held).high)
    .reduce(lower, own);
}

/** A provider may hold no more than its label says, whatever its method sends. */
function narrowOwn(own: Label, { sends }: Method): Label {
  return sends === undefined ? own : lower(own, resolveLabel(sends, 0));
}

/** Returns the highest label that may flow to both. */
function lower(one: Label, other: Label): Label {
  return {
    confidentiality: Math.min(one.confidentiality, other.confidentiality),
    integrity: Math.max(one.integrity, other.integrity),
    compartments: one.compartments & other.compartments,
  };
}

/** A conversation starts public and as trusted as what a person has looked at. */
export function startOfConversation(lattice: Lattice, starts: BoundLabel | undefined): Label {
  return resolveLabel(starts, Math.max(0, lattice.integrity.indexOf("reviewed")));
}

/** Returns the highest label that may be seen; public if the page states none. Requires no integrity unless the page states it. */
export function resolveClearance(clearance: BoundLabel | undefined): Label {
  return resolveLabel(clearance, 0);
}
