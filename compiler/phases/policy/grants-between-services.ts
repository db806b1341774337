// Grants give services access to each other. A service may call each service that it is granted, and no rule of a session decides about it.
// The labels of its tools and the prover take that access into account.

import { FileEdits, type HeldMethod, type HeldService, PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import type { HolderFolders } from "../../../targets/contract/policy.ts";
import { type BoundGrant, type Interface, isWithin, type Model, type Service, type Tool } from "../bind/index.ts";
import { sortByName } from "./place.ts";

/** Services of a page by name. */
export type Services = ReadonlyMap<string, Service>;

export function indexServices({ services }: Pick<Model, "services">): Services {
  return new Map(services.map((service) => [service.name, service]));
}

/** Returns all services that the holder may use, in code-unit order of names. Each service has only the methods that are tools. */
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

/** Returns whether a service is the image's plan runner. Its plans consist of actions, and the session's gate decides about each action. */
export function isPlanRunner({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "ActionPlans";
}

/** Returns the session on whose behalf a plan runner works, or `undefined` for other services and without a session grant. */
export function getSessionOfPlans(service: Service): string | undefined {
  const [grant] = isPlanRunner(service) ? service.grants : [];
  return grant?.to.kind === "session" ? grant.to.name : undefined;
}

/** Returns whether a service is the image's file store. Its folders can be granted, and patch sets can edit its files. */
export function isFileStore({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "Files";
}

/**
 * Returns all services that the holder can call, directly or through services that it holds. Cycles are harmless, because each service is
 * added once.
 */
export function findReachableServices(holder: Service, services: Services): readonly Service[] {
  const found = new Set<Service>([holder]);
  for (const one of found) for (const held of findDirectlyHeld(one, services)) found.add(held);
  return [...found].filter((one) => one !== holder);
}

/** Service that can be used, the service that uses it, and the grant that allows this. */
export interface Way {
  readonly held: Service;
  readonly by: Service;
  readonly grant: BoundGrant;
}

/** Returns all services that can be used through one grant of the holder, the direct target first. */
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
 * Returns whether a call of one tool can cause a use of another. A read-only tool can use only read-only tools, and patch sets write only
 * when they are applied.
 */
export function mayUse(called: Tool, used: Tool, { by }: Way): boolean {
  const isReadOnly = ({ method }: Tool) => isWithin(method.category, "readOnly");
  if (isReadOnly(called) && !isReadOnly(used)) return false;
  if (isPatchStore(called.service) && called.method.description.name !== "apply") return false;
  return !isPatchStore(by) || used.method.description.name === "write";
}

/** Returns the services that hold only some folders of this service, in code-unit order of names. */
export function collectHolderFolders({ name }: Service, services: Services): readonly HolderFolders[] {
  const known = scoped.get(services) ?? indexHolderFolders(services);
  scoped.set(services, known);
  return known.get(name) ?? [];
}

/** Cache, because the function runs for each service, and hardly any page has grants of folders. */
const scoped = new WeakMap<Services, ReadonlyMap<string, readonly HolderFolders[]>>();

/** Returns the holders of folders, by the name of the granted service. */
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
