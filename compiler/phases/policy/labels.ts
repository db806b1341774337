import type { Label, LabelRange } from "../../../engine/lib/wire/generated/policy.ts";
import type { BoundLabel, BoundRange, Lattice, Method, Service, Tool } from "../bind/index.ts";
import { findReachableServices, type Services } from "./grants-between-services.ts";

// Applies the defaults of labels in the tables (ruling 10). A label that states no set of compartments has no
// compartments. If a label states no integrity, data with this label has the integrity of its provider, and a sink with
// this label accepts any integrity. A provider without a label is public and untrusted.

const LOWEST: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

/** Returns a label of the page as the tables store it. If the page states no integrity, `integrity` is used. */
export function resolveLabel(label: BoundLabel | undefined, integrity: number): Label {
  if (label === undefined) return { ...LOWEST, integrity };
  const { confidentiality, compartments } = label;
  return { confidentiality, integrity: label.integrity ?? integrity, compartments };
}

/**
 * Returns the range of labels that data of a service may have. If the page states an integrity at only one end of the
 * range, this integrity applies to both ends. If the page states none, the lowest integrity applies.
 */
export function getServiceRange(service: Service): LabelRange {
  return resolveRange(service.label, 0);
}

/**
 * Returns the label range of a method's results: the range that the page states for the method, otherwise the range of
 * its service.
 */
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
 * Ruling 11: returns the label to which arguments flow. If the service cannot reach the network, this is the service's
 * label, lowered to the `sends` label of the method. Otherwise it is the `sends` label, or public if there is none. In
 * both cases it is lowered to the labels of all services without network that the service may use, because the service
 * may pass the arguments to them.
 */
export function computeSink(service: Service, method: Method, services: Services): Label {
  const own = service.networked ? resolveLabel(method.sends, 0) : narrowOwn(getServiceRange(service).high, method);
  const reachable = findReachableServices(service, services);
  // This check saves time: the function is called for each tool, and most services have no grants.
  if (reachable.length === 0) return own;
  return reachable
    .filter(({ networked }) => !networked)
    .map((held) => getServiceRange(held).high)
    .reduce(lower, own);
}

/** Labels of a tool: the label of its results, and the label to which its arguments flow. */
export interface ToolLabels {
  readonly result: LabelRange;
  readonly sink: Label;
}

/**
 * Returns a function that resolves the labels of tools. Adjacent tools of one service share one object of labels,
 * unless a method states labels of its own. This saves memory on a page with ten thousand tools.
 */
export function createToolLabeller(services: Services): (tool: Tool) => ToolLabels {
  let shared: { readonly of: Service; readonly labels: ToolLabels } | undefined;
  return ({ service, method }) => {
    const isOwn = method.returns !== undefined || method.sends !== undefined;
    if (!isOwn && shared?.of === service) return shared.labels;
    const labels = { result: getResultRange(service, method), sink: computeSink(service, method, services) };
    if (!isOwn) shared = { of: service, labels };
    return labels;
  };
}

/** Returns the provider's own label, lowered to the `sends` label of the method. */
function narrowOwn(own: Label, { sends }: Method): Label {
  return sends === undefined ? own : lower(own, resolveLabel(sends, 0));
}

/** Returns the highest label whose data may flow to both labels. */
function lower(one: Label, other: Label): Label {
  return {
    confidentiality: Math.min(one.confidentiality, other.confidentiality),
    integrity: Math.max(one.integrity, other.integrity),
    compartments: one.compartments & other.compartments,
  };
}

/**
 * Returns the start label of a conversation. By default a conversation starts public, and as trusted as data that a
 * person has reviewed.
 */
export function startOfConversation(lattice: Lattice, starts: BoundLabel | undefined): Label {
  return resolveLabel(starts, Math.max(0, lattice.integrity.indexOf("reviewed")));
}

/**
 * Returns the highest label of data that a conversation may read; public if the page states none. If the page states no
 * integrity, the label allows data of any integrity.
 */
export function resolveClearance(clearance: BoundLabel | undefined): Label {
  return resolveLabel(clearance, 0);
}
