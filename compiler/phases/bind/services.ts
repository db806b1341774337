import { bug } from "../../../lang/diagnostics/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import type { Reference, ServiceAttribute, ServiceNode, SessionNode } from "../../../lang/tree/index.ts";
import { KERNEL_SOURCES, type KernelSource } from "../../../targets/contract/kernel-sources.ts";
import type { Package } from "../source/index.ts";
import { duplicateEntry, wrongCase } from "./codes.ts";
import { type Context, declare, resolve, selectKind, takeOnce } from "./context.ts";
import { bindRange } from "./lattice.ts";
import type { BoundGrant, Interface, Lattice, Service, StrongField } from "./model/index.ts";
import { resolveInterface } from "./patterns.ts";
import { readBytes } from "./quantities.ts";

const MAX_STATE = 1n << 40n;

/**
 * Interface of services that execute action plans. If such a service has no `exec`, a program of the image serves it,
 * and it may have a grant of a session.
 */
const PLANS = "ActionPlans";

/** Ruling 11: the interfaces with which a process can reach another machine. */
export const NETWORK_INTERFACES: ReadonlySet<string> = new Set(["HttpEndpoint", "Fetch", "Socket", "Peer"]);

interface ServiceWords {
  readonly lattice: Lattice;
  readonly interfaces: ReadonlyMap<string, Interface>;
  readonly assets: Package["assets"];
  /** Programs of the standard library, by interface. */
  readonly programs: Package["programs"];
  /** Sessions of the page by name; a grant of an `ActionPlans` service may name one of them. */
  readonly sessions: ReadonlyMap<string, SessionNode>;
}

export function bindServices(
  context: Context,
  words: ServiceWords,
  nodes: readonly ServiceNode[],
): Map<string, Service> {
  const first = new Map<string, ServiceNode>();
  for (const node of nodes) declare(context, { names: first, what: "service", name: node.name, declared: node });
  const grants = new Map<string, readonly BoundGrant[]>();
  first.forEach((node, name) => {
    grants.set(name, bindGrants(context, words, first, node));
  });
  const networked = findNetworked(first, grants);
  const bound = new Map<string, Service>();
  for (const [name, node] of first) {
    checkCase(context, node);
    const face = resolveInterface(context, words, node.interface);
    const own = bindOwn(context, words, node);
    if (face === undefined) continue;
    const strong = bindStrong(context, face, selectKind(node.attributes, "strong"));
    bound.set(name, {
      name,
      interface: face,
      ...own,
      standard: own.exec === undefined ? words.programs.get(face.name) : undefined,
      grants: grants.get(name) ?? [],
      strong,
      networked: networked.has(name),
      node,
    });
  }
  return bound;
}

function checkCase(context: Context, { name }: ServiceNode): void {
  if (/^[a-z]/.test(name.text)) return;
  const wanted = "a lower-case letter";
  context.report(wrongCase.at(name.span, { what: "service", name: name.text, wanted }));
}

function bindOwn(
  context: Context,
  { lattice, assets }: ServiceWords,
  node: ServiceNode,
): Pick<Service, "label" | "stateBytes" | "exec"> {
  const state = takeOnce(context, "`state`", selectKind(node.attributes, "state"));
  const label = takeOnce(context, "`label`", selectKind(node.attributes, "label"));
  const exec = takeOnce(context, "`exec`", selectKind(node.attributes, "exec"));
  return {
    label: label && bindRange(context, lattice, label),
    stateBytes: state === undefined ? 0n : (readBytes(context, state.size, MAX_STATE) ?? 0n),
    exec: exec && { path: exec.path, asset: assets.get(exec.path) },
  };
}

const NO_FIELDS: readonly StrongField[] = [];

/** Returns the fields that the service declares by `strong METHOD.FIELD`, each once. */
function bindStrong(
  context: Context,
  face: Interface,
  nodes: readonly Extract<ServiceAttribute, { readonly kind: "strong" }>[],
): readonly StrongField[] {
  if (nodes.length === 0) return NO_FIELDS;
  const seen = new Map<string, Reference>();
  return nodes
    .flatMap(({ fields }) => fields)
    .flatMap((node) => {
      const [method, ...rest] = node.parts;
      const known = {
        names: face.methods,
        what: `method of ${face.name}`,
        name: method ?? bug("a reference without parts"),
      };
      if (resolve(context, known) === undefined) return [];
      const before = seen.get(node.text);
      if (before !== undefined) {
        const facts = { what: `the strong field \`${node.text}\``, where: placeOf(before.span) };
        context.report(duplicateEntry.at(node.span, facts));
        return [];
      }
      seen.set(node.text, node);
      return [{ method: known.name.text, field: rest.map(({ text }) => text).join("."), node }];
    });
}

const NO_GRANTS: readonly BoundGrant[] = [];

const KERNEL_BY_NAME: ReadonlyMap<string, KernelSource> = new Map(KERNEL_SOURCES.map((one) => [one.name, one]));

/**
 * Returns the grants of a service. A target in upper case is an interface that the system serves. A target in lower
 * case is a service of the page or, after `kernel.`, a part of upstream's kernel that provides a capability. The target
 * of an `ActionPlans` service is a session.
 */
function bindGrants(
  context: Context,
  words: ServiceWords,
  services: ReadonlyMap<string, ServiceNode>,
  { attributes, interface: face }: ServiceNode,
): readonly BoundGrant[] {
  const granted = selectKind(attributes, "grant");
  if (granted.length === 0) return NO_GRANTS;
  const runsPlans = face.text === PLANS && selectKind(attributes, "exec").length === 0;
  return granted.flatMap((node): BoundGrant[] => {
    const last = node.to.parts[node.to.parts.length - 1]?.text ?? "";
    const scopes = node.scopes;
    if (/^[A-Z]/.test(last)) {
      // A grant may name an interface of the system, such as HttpEndpoint. The page has no schema of it, so its name is
      // not looked up.
      if (NETWORK_INTERFACES.has(last)) return [{ to: { kind: "interface", name: last }, scopes, node }];
      const face = resolveInterface(context, words, node.to);
      return face === undefined ? [] : [{ to: { kind: "interface", name: face.name }, scopes, node }];
    }
    const [room, source] = node.to.parts;
    if (room?.text === "kernel" && source !== undefined && node.to.parts.length === 2) {
      const known = resolve(context, {
        names: KERNEL_BY_NAME,
        what: "kernel source",
        name: { text: source.text, span: source.span },
      });
      return known === undefined ? [] : [{ to: { kind: "kernel", name: `kernel.${known.name}` }, scopes, node }];
    }
    if (runsPlans) {
      const session = resolve(context, {
        names: words.sessions,
        what: "session",
        name: { text: node.to.text, span: node.to.span },
      });
      return session === undefined ? [] : [{ to: { kind: "session", name: session.name.text }, scopes, node }];
    }
    const service = resolve(context, {
      names: services,
      what: "service",
      name: { text: node.to.text, span: node.to.span },
    });
    return service === undefined ? [] : [{ to: { kind: "service", name: service.name.text }, scopes, node }];
  });
}

/**
 * Returns the services that can reach the network, directly or through a granted service. The search ends when it finds
 * no new service, even if services have grants of each other in a cycle.
 */
function findNetworked(
  nodes: ReadonlyMap<string, ServiceNode>,
  grants: ReadonlyMap<string, readonly BoundGrant[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  nodes.forEach((node, name) => {
    // A service whose own interface reaches the network counts as networked even without a grant, because it would be useless otherwise.
    const face = node.interface.parts[node.interface.parts.length - 1]?.text ?? "";
    const held = grants.get(name) ?? NO_GRANTS;
    const holds = held.some(({ to }) => to.kind === "interface" && NETWORK_INTERFACES.has(to.name));
    if (holds || NETWORK_INTERFACES.has(face)) found.add(name);
  });
  const holders = groupHolders(grants);
  for (const name of found) for (const holder of holders.get(name) ?? []) found.add(holder);
  return found;
}

/** Returns, for the name of each granted service, the names of the services that have a grant of it. */
function groupHolders(grants: ReadonlyMap<string, readonly BoundGrant[]>): Map<string, string[]> {
  const holders = new Map<string, string[]>();
  grants.forEach((held, holder) => {
    if (held.length === 0) return;
    for (const { to } of held) {
      if (to.kind !== "service") continue;
      const before = holders.get(to.name);
      if (before === undefined) holders.set(to.name, [holder]);
      else before.push(holder);
    }
  });
  return holders;
}

/** Returns the names of the declared services that were not bound, because their declarations have errors. */
export function findUnbound(nodes: readonly ServiceNode[], bound: ReadonlyMap<string, Service>): string[] {
  return nodes.map((node) => node.name.text).filter((name) => !bound.has(name));
}
