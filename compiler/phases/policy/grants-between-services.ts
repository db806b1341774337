// Access between services by the grants of a page: a service may call one that it holds, and no session's line decides that. The labels
// of its tools, and the prover, account for that access.

import { FileEdits, type HeldMethod, type HeldService, PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import type { HolderFolders } from "../../../targets/contract/policy.ts";
import { type BoundGrant, type Interface, isWithin, type Model, type Service, type Tool } from "../bind/index.ts";
import { sortByName } from "./place.ts";

/** Services of a page by their names. */
export type Services = ReadonlyMap<string, Service>;

export function indexServices({ services }: Pick<Model, "services">): Services {
  return new Map(services.map((service) => [service.name, service]));
}

/** Returns all services that it may use, in code-unit order of names, each with the methods that are tools. */
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

/** Returns whether a service is the image's patch store, which only edits the files of another service. */
export function isPatchStore({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "PatchSets";
}

/** Returns whether a service is the image's plan runner: its plans consist of actions, each of which the session's gate decides. */
export function isPlanRunner({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "ActionPlans";
}

/** Returns the session in whose name a plan service works, or `undefined` if it is not one or has no session grant. */
export function getSessionOfPlans(service: Service): string | undefined {
  const grant = isPlanRunner(service) ? service.grants[0] : undefined;
  return grant?.to.kind === "session" ? grant.to.name : undefined;
}

/** Returns whether a service is the image's file store: its folders can be granted, and patch sets work on them. */
export function isFileStore({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "Files";
}

/**
 * Returns all services that it can call, directly or through services that it holds. A cycle ends when nothing new is
 * found.
 */
export function findReachableServices(holder: Service, services: Services): readonly Service[] {
  if (holder.grants.length === 0) return [];
  const found = new Set<Service>([holder]);
  for (const one of found) for (const held of findDirectlyHeld(one, services)) found.add(held);
  return [...found].filter((one) => one !== holder);
}

/** Service that can be used, and the grant that allows it. */
export interface Way {
  readonly held: Service;
  readonly by: Service;
  readonly grant: BoundGrant;
}

/** Returns all services that a holder can use by one of its grants, the direct target first. */
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
 * Returns whether a call of one tool may lead to use of another. A tool that only reads changes nothing, and patch sets write only when
 * they are applied.
 */
export function mayUse(called: Tool, used: Tool, { by }: Way): boolean {
  const isReadOnly = ({ method }: Tool) => isWithin(method.category, "readOnly");
  if (isReadOnly(called) && !isReadOnly(used)) return false;
  if (isPatchStore(called.service) && called.method.description.name !== "apply") return false;
  return !isPatchStore(by) || used.method.description.name === "write";
}

/** Returns the holders of only some folders of a service, in code-unit order of names. */
export function collectHolderFolders({ name }: Service, services: Services): readonly HolderFolders[] {
  const known = scoped.get(services) ?? indexHolderFolders(services);
  scoped.set(services, known);
  return known.get(name) ?? [];
}

/**
 * The result is cached, because this is called for each service of a page, and hardly any page has a grant of folders.
 */
const scoped = new WeakMap<Services, ReadonlyMap<string, readonly HolderFolders[]>>();

/** Returns the holders of folders by the name of the service that stores them. */
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
