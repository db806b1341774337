// Plans the process of an operator's own service. A module and the types of its methods are artefacts of the manifest, signed with it; the
// process that runs the module has both files. A static program is in the root, whose digest the manifest signs. Besides its program, the
// process has at most one directory, and the services that the page grants.

import type { FileGrant } from "../../engine/lib/wire/generated/manifest.ts";
import { PlanGate, ServiceMethods } from "../../engine/lib/wire/generated/service.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import type { OwnProgram, Policy, ServicePlan } from "../contract/policy.ts";
import type { Draft } from "./draft.ts";
import { getProvider } from "./egress.ts";

interface OwnService {
  readonly name: string;
  readonly own: OwnProgram;
}

/**
 * Returns the services that a JavaScript module of the package or of the standard library serves, in the policy's
 * order.
 */
export function listOwnServices(policy: Policy): readonly OwnService[] {
  return policy.services.flatMap(({ name, implementation, own }) =>
    implementation === "own" ? [{ name, own: own ?? bug(`${name} has no program`) }] : [],
  );
}

export function encodeMethods({ methods }: OwnProgram): Uint8Array {
  return encodeMessage(ServiceMethods, methods);
}

/**
 * Drafts a service's process. The grants of other services have the names of these services, and the grant of a session's gate has the name
 * of the session.
 */
export function draftOwn(
  { name, stateBytes, holds = [], session }: ServicePlan,
  policy: Policy,
  origin: string,
): Draft {
  const plans =
    session === undefined ? [] : [{ name: session, interfaceId: PlanGate.id, provider: `gate.${session}`, origin }];
  const held = holds.map(({ name: held, interfaceId }) => {
    const service = policy.services.find((one) => one.name === held) ?? bug(`${name} holds ${held}, which is none`);
    return { name: held, interfaceId, provider: getProvider(service), origin };
  });
  const blobs: readonly FileGrant[] = [
    { name: "program", which: "blob", blob: `program.${name}` },
    { name: "methods", which: "blob", blob: `methods.${name}` },
  ];
  const files = [...blobs, ...grantDirectory(name, stateBytes)];
  const grants = [...held, ...plans];
  return { name, role: "own", arguments: ["--state-bytes", String(stateBytes)], grants, files };
}

/**
 * Drafts a static program's process. An argument tells the program the maximum bytes of its data, so that it can divide this space. The
 * kernel enforces the maximum.
 */
export function draftNative({ name, stateBytes }: ServicePlan): Draft {
  const files = grantDirectory(name, stateBytes);
  return { name, role: "own-native", exec: getNativePath(name), arguments: [String(stateBytes)], grants: [], files };
}

function grantDirectory(name: string, stateBytes: number): readonly FileGrant[] {
  return stateBytes === 0 ? [] : [{ name: "data", which: "directory", directory: name }];
}

/** Returns static programs of the package with their paths in the root. */
export function listNativePrograms({ services }: Pick<Policy, "services">) {
  return services.flatMap(({ name, implementation, own }) =>
    implementation === "own-native"
      ? [{ path: getNativePath(name), bytes: own?.bytes ?? bug(`${name} has no program`) }]
      : [],
  );
}

function getNativePath(service: string): string {
  return `/services/${service}`;
}
