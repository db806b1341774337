// Computes which services may call which others through the grants of a page. No line of a session decides about such
// calls. But capc considers these calls when it computes the labels of tools, and when it proves assertions.

import { FileEdits, type HeldMethod, type HeldService, PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import type { HolderFolders } from "../../../targets/contract/policy.ts";
import { type BoundGrant, type Interface, isWithin, type Model, type Service, type Tool } from "../bind/index.ts";
import { sortByName } from "./place.ts";

/** Services of a page by their names. */
export type Services = ReadonlyMap<string, Service>;

export function indexServices({ services }: Pick<Model, "services">): Services {
  return new Map(services.map((service) => [service.name, service]));
}

/**
 * Returns the services of which `holder` has a grant, in code-unit order of names, each with its methods that are
 * tools.
 */
export function listHeldServices(holder: Service, services: Services): readonly HeldService[] {
  const session = getSessionOfPlans(holder);
  if (session !== undefined)
    return [{ name: session, interfaceId: PlanGate.id, methods: listMethods(PlanGate.methods) }];
  return sortByName(findDirectlyHeld(holder, services)).map((held): HeldService => {
    const { name, interface: face } = held;
    if (isPatchStore(holder)) return { name, interfaceId: FileEdits.id, methods: listMethods(FileEdits.methods) };
    return { name, interfaceId: face.description.id, methods: listToolMethods(face) };
  });
}

/** Returns whether a service is a patch store of the image, which only edits the files of another service. */
export function isPatchStore({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "PatchSets";
}

/**
 * Returns whether a service is a plan runner of the image. A plan consists of actions, and the gate of its session
 * decides each of them.
 */
export function isPlanRunner({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "ActionPlans";
}

/**
 * Returns the session for which a plan runner works, or `undefined` if the service is not a plan runner or has no grant
 * of a session.
 */
export function getSessionOfPlans(service: Service): string | undefined {
  const grant = isPlanRunner(service) ? service.grants[0] : undefined;
  return grant?.to.kind === "session" ? grant.to.name : undefined;
}

/**
 * Returns whether a service is a file store of the image: its folders can be granted, and patch sets can change its
 * files.
 */
export function isFileStore({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "Files";
}

/**
 * Returns all services that `holder` can call, directly or through services of which it has a grant. The search ends
 * when it finds no new service, even if services have grants of each other in a cycle.
 */
export function findReachableServices(holder: Service, services: Services): readonly Service[] {
  if (holder.grants.length === 0) return [];
  const found = new Set<Service>([holder]);
  for (const one of found) for (const held of findDirectlyHeld(one, services)) found.add(held);
  return [...found].filter((one) => one !== holder);
}

/** A service `held` that another service `by` can use, and the grant that allows this. */
export interface Way {
  readonly held: Service;
  readonly by: Service;
  readonly grant: BoundGrant;
}

/**
 * Returns all services that a holder can use by one of its grants: first the target of the grant, then the services
 * that the target can use.
 */
export function findGrantPaths(holder: Service, grant: BoundGrant, services: Services): readonly Way[] {
  const held = findGrantTarget(grant, services);
  if (held === undefined) return [];
  const further = [held, ...findReachableServices(held, services)].flatMap((by) =>
    by.grants.flatMap((one) => {
      const next = findGrantTarget(one, services);
      return next === undefined ? [] : [{ held: next, by, grant: one }];
    }),
  );
  return [{ held, by: holder, grant }, ...further];
}

/**
 * Returns whether a call of one tool may cause its service to use another tool. A call of a read-only tool cannot lead
 * to the use of a tool that is not read-only. A patch store writes files only if a call applies a patch set.
 */
export function mayUse(called: Tool, used: Tool, { by }: Way): boolean {
  const isReadOnly = ({ method }: Tool) => isWithin(method.category, "readOnly");
  if (isReadOnly(called) && !isReadOnly(used)) return false;
  if (isPatchStore(called.service) && called.method.description.name !== "apply") return false;
  return !isPatchStore(by) || used.method.description.name === "write";
}

/** Returns the services that have a grant of only some folders of this service, in code-unit order of names. */
export function collectHolderFolders({ name }: Service, services: Services): readonly HolderFolders[] {
  const known = scoped.get(services) ?? indexHolderFolders(services);
  scoped.set(services, known);
  return known.get(name) ?? [];
}

/**
 * Cache of the services with a grant of folders, for each page. They are looked up for every service of the page, and
 * finding them reads the grants of all services.
 */
const scoped = new WeakMap<Services, ReadonlyMap<string, readonly HolderFolders[]>>();

/** Returns the services with a grant of folders, by the name of the service that stores the folders. */
function indexHolderFolders(services: Services): ReadonlyMap<string, readonly HolderFolders[]> {
  const held = new Map<string, HolderFolders[]>();
  for (const holder of sortByName(services.values()))
    for (const { to, scopes } of holder.grants) {
      if (to.kind !== "service" || scopes.length === 0) continue;
      const folders = scopes.map(({ value }) => value);
      held.set(to.name, [...(held.get(to.name) ?? []), { holder: holder.name, folders }]);
    }
  return held;
}

function findDirectlyHeld({ grants }: Service, services: Services): Service[] {
  return grants.flatMap((grant) => findGrantTarget(grant, services) ?? []);
}

function findGrantTarget({ to }: BoundGrant, services: Services): Service | undefined {
  return to.kind === "service" ? services.get(to.name) : undefined;
}

function listToolMethods({ methods }: Interface): readonly HeldMethod[] {
  return sortByName(methods.values()).map(({ description: { ordinal, name } }) => ({ ordinal, name }));
}

function listMethods(methods: Readonly<Record<string, HeldMethod>>): readonly HeldMethod[] {
  return sortByName(Object.values(methods)).map(({ ordinal, name }) => ({ ordinal, name }));
}
