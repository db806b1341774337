import type { Label, LabelRange } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundLabel, BoundRange, Lattice, Method, Service } from "../bind/index.ts";
import { findReachableServices, type Services } from "./grants-between-services.ts";

// Defaults of labels in the tables (ruling 10). A label that states no compartments has none. Data without a stated integrity has the
// integrity of its provider. A sink without a stated integrity requires none. A provider without a label is public and untrusted.

const LOWEST: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

/** Returns a label. `integrity` applies if the label states no integrity. */
export function resolveLabel(label: BoundLabel | undefined, integrity: number): Label {
  if (label === undefined) return { ...LOWEST, integrity };
  const { confidentiality, compartments } = label;
  return { confidentiality, integrity: label.integrity ?? integrity, compartments };
}

/**
 * Returns the range of labels that a service may contain. Integrity that is stated at one end applies to both ends. If no end states an
 * integrity, it is the lowest.
 */
export function getServiceRange(service: Service): LabelRange {
  return resolveRange(service.label, 0);
}

/** Returns the label range of a method's results: the method's own, or else the service's. */
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
 * Ruling 11: returns the label of the sink that the arguments reach. Without a network grant, the sink is the label of the provider,
 * lowered to the label that the method may send. With a network grant, the sink is the label that the method may send to the network. The
 * sink also includes all services that the provider may use, because the provider may forward the arguments.
 */
export function computeSink(service: Service, method: Method, services: Services): Label {
  const own = service.networked ? resolveLabel(method.sends, 0) : narrowOwn(getServiceRange(service).high, method);
  return findReachableServices(service, services)
    .filter(({ networked }) => !networked)
    .map((held) => getServiceRange(held).high)
    .reduce(lower, own);
}

/** Returns the provider's own label, lowered to the label that its method may send. */
function narrowOwn(own: Label, { sends }: Method): Label {
  return sends === undefined ? own : lower(own, resolveLabel(sends, 0));
}

/** Returns the highest label that may flow to both labels. */
function lower(one: Label, other: Label): Label {
  return {
    confidentiality: Math.min(one.confidentiality, other.confidentiality),
    integrity: Math.max(one.integrity, other.integrity),
    compartments: one.compartments & other.compartments,
  };
}

/** Returns the label at the start of a conversation. By default it is public and as trusted as data that a person has reviewed. */
export function startOfConversation(lattice: Lattice, starts: BoundLabel | undefined): Label {
  return resolveLabel(starts, Math.max(0, lattice.integrity.indexOf("reviewed")));
}

/**
 * Returns the highest label that a session or backend may see; public if the page states none. It requires no integrity unless the page
 * states a minimum.
 */
export function resolveClearance(clearance: BoundLabel | undefined): Label {
  return resolveLabel(clearance, 0);
}
