// What services are to each other by the grants of a page: a service that holds another one may call it, and no session's line is
// asked then. What that opens is in the labels of its tools and in what the prover follows.

import { FileEdits, type HeldMethod, type HeldService } from "../../engine/wire/generated/service.ts";
import type { Interface, Model, Service } from "../bind/index.ts";
import { byName } from "./place.ts";
import type { HolderFolders } from "./policy.ts";

/** Services of a page by their names. */
export type Services = ReadonlyMap<string, Service>;

export function servicesByName({ services }: Pick<Model, "services">): Services {
  return new Map(services.map((service) => [service.name, service]));
}

/** All that it may use, in code-unit order of names, each with the methods that are tools. */
export function heldBy(holder: Service, services: Services): readonly HeldService[] {
  return byName(directlyHeld(holder, services)).map((held): HeldService => {
    const { name, interface: face } = held;
    if (keepsPatches(holder)) return { name, interfaceId: FileEdits.id, methods: methodsIn(FileEdits.methods) };
    return { name, interfaceId: face.description.id, methods: toolsOf(face) };
  });
}

/** The one interface of the image that works on the files of another service: it edits them, and does no more. */
export function keepsPatches({ exec, interface: face }: Service): boolean {
  return exec === undefined && face.name === "PatchSets";
}

/** Everything that it can come to call, directly or through what it holds; a circle comes to an end where nothing new is found. */
export function reachedBy(holder: Service, services: Services): readonly Service[] {
  const found = new Set<Service>([holder]);
  for (const one of found) for (const held of directlyHeld(one, services)) found.add(held);
  return [...found].filter((one) => one !== holder);
}

/** Who may reach some folders of a service and no more, in code-unit order of names. */
export function foldersOf({ name }: Service, services: Services): readonly HolderFolders[] {
  return byName([...services.values()]).flatMap((holder) =>
    holder.grants
      .filter(({ to, scopes }) => to.kind === "service" && to.name === name && scopes.length > 0)
      .map(({ scopes }) => ({ holder: holder.name, folders: scopes.map(({ value }) => value) })),
  );
}

function directlyHeld({ grants }: Service, services: Services): Service[] {
  return grants.flatMap(({ to }) => {
    const held = to.kind === "service" ? services.get(to.name) : undefined;
    return held === undefined ? [] : [held];
  });
}

function toolsOf({ methods }: Interface): readonly HeldMethod[] {
  return byName(methods.values()).map(({ description: { ordinal, name } }) => ({ ordinal, name }));
}

function methodsIn(methods: Readonly<Record<string, HeldMethod>>): readonly HeldMethod[] {
  return byName(Object.values(methods)).map(({ ordinal, name }) => ({ ordinal, name }));
}
