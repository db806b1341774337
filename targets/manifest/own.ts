// An operator's own service: its program and the shapes of its methods are artefacts of the manifest, signed with it, and
// the process that runs it holds them, at most one directory, and nothing else.

import type { OwnProgram, Policy, ServicePlan } from "../../compiler/policy/policy.ts";
import type { FileGrant } from "../../engine/wire/generated/manifest.ts";
import { ServiceMethods } from "../../engine/wire/generated/service.ts";
import { encodeMessage } from "../../engine/wire/index.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import type { Draft } from "./draft.ts";

export interface OwnService {
  readonly name: string;
  readonly own: OwnProgram;
}

/** Services that a program of the package answers for, in the policy's order. */
export function ownServices(policy: Policy): readonly OwnService[] {
  return policy.services.flatMap(({ name, implementation, own }) =>
    implementation === "own" ? [{ name, own: own ?? bug(`${name} has no program`) }] : [],
  );
}

export function methodsBytes({ methods }: OwnProgram): Uint8Array {
  return encodeMessage(ServiceMethods, methods);
}

export function ownDraft({ name, stateBytes }: ServicePlan): Draft {
  const blobs: readonly FileGrant[] = [
    { name: "program", which: "blob", blob: `program.${name}` },
    { name: "methods", which: "blob", blob: `methods.${name}` },
  ];
  const data: FileGrant = { name: "data", which: "directory", directory: name };
  const files = stateBytes === 0 ? blobs : [...blobs, data];
  return { name, role: "own", arguments: ["--state-bytes", String(stateBytes)], grants: [], files };
}
