import { IMPLEMENTATIONS } from "../../../engine/lib/roles/index.ts";
import type { HeldService, ServiceMethods } from "../../../engine/lib/wire/generated/service.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { ServicePlan } from "../../../targets/contract/policy.ts";
import { type Interface, isWithin, type Service } from "../bind/index.ts";
import { isModule, isServer } from "../source/index.ts";
import { collectHolderFolders, getSessionOfPlans, listHeldServices, type Services } from "./grants-between-services.ts";
import type { Providers } from "./implementations.ts";
import { getServiceRange } from "./labels.ts";
import { readServiceScope } from "./network.ts";
import { sortByName } from "./place.ts";

/** Returns the plan of a service in the image: a provider that the image contains, or the program of the package. */
export function planService(service: Service, provided: Providers, services: Services = new Map()): ServicePlan {
  const { name, interface: face, exec, standard, stateBytes } = service;
  const common = {
    name,
    interfaceName: face.name,
    interfaceId: face.description.id,
    stateBytes: Number(stateBytes),
    label: getServiceRange(service).high,
  };
  const implementation =
    exec === undefined ? provided.get(face.name) : isModule(exec.path.value) ? "own" : "own-native";
  if (implementation === undefined || IMPLEMENTATIONS[implementation].program === "image") {
    const scope = implementation === "egress" ? { scope: readServiceScope(service) } : {};
    const within = implementation === "files" ? collectHolderFolders(service, services) : [];
    return {
      ...common,
      implementation: implementation ?? bug(`nothing provides ${face.name}`),
      ...scope,
      ...(within.length > 0 && { within }),
    };
  }
  // The program is `undefined` in two cases only: the page has an error, or the page is checked but not built.
  const program = exec === undefined ? standard : exec.asset;
  const toolList = exec !== undefined && isServer(exec.path.value) ? face.description.toolList : undefined;
  const held = listHeldServices(service, services);
  const session = getSessionOfPlans(service);
  const holds = session === undefined ? held.map(({ name: held, interfaceId }) => ({ name: held, interfaceId })) : [];
  return {
    ...common,
    implementation,
    ...(exec === undefined && { standard: true as const }),
    ...(holds.length > 0 && { holds }),
    ...(session !== undefined && { session }),
    ...(program && { own: { ...program, methods: encodeMethods(face, held, toolList) } }),
  };
}

/** Encodes only the methods that are tools: other functions of a program are never called. */
function encodeMethods(
  face: Interface,
  held: readonly HeldService[],
  toolList: Uint8Array = new Uint8Array(),
): ServiceMethods {
  const methods = sortByName(face.methods.values()).map(({ description, category }) => ({
    ordinal: description.ordinal,
    name: description.name,
    readOnly: isWithin(category, "readOnly"),
    params: description.params,
    results: description.results,
  }));
  return { schemaVersion: 1, interfaceId: face.description.id, interfaceName: face.name, methods, toolList, held };
}
