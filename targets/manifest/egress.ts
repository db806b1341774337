// Plans the egress process, which alone has the network, and its table of the servers that each connection may reach. The table is an
// artefact, signed with the manifest. An image whose page needs no network has neither the process nor the table.

import { IMPLEMENTATIONS } from "../../engine/lib/roles/index.ts";
import { Egress, type Endpoint } from "../../engine/lib/wire/generated/egress.ts";
import type { FileGrant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { compareCodeUnits } from "../../lang/text/index.ts";
import type { Policy, ServicePlan } from "../contract/policy.ts";
import type { Scope } from "../contract/scope.ts";
import { listUsedBackends } from "./backends.ts";
import type { Draft } from "./draft.ts";

/** Name of the egress process. An image has at most one such process, whatever services it serves. */
export const EGRESS = "egress";

/** The schema version of the table that the egress process reads. */
const EGRESS_SCHEMA_VERSION = 1;

/** Returns the name of the process that serves a service. */
export function getProvider({ name, implementation }: ServicePlan): string {
  const { role, process } = IMPLEMENTATIONS[implementation];
  return process === "shared" ? role : name;
}

const TABLE: FileGrant = { name: EGRESS, which: "blob", blob: EGRESS };
/** Key that opens the credentials in the table. */
const OPENER: FileGrant = { name: "opener", which: "key", key: "secrets" };

export function draftEgress(policy: Policy): readonly Draft[] {
  const endpoints = listEndpoints(policy);
  if (endpoints.length === 0) return [];
  // If no endpoint has a credential, the process does not get the key.
  const files = endpoints.some(({ secret }) => secret !== "") ? [TABLE, OPENER] : [TABLE];
  return [{ name: EGRESS, role: EGRESS, grants: [], files }];
}

/** Returns the egress table, or `undefined` if no process uses the network. */
export function encodeEgress(policy: Policy, processes: readonly Process[]): Uint8Array | undefined {
  const endpoints = listEndpoints(policy);
  if (endpoints.length === 0) return undefined;
  const at = new Map(endpoints.map(({ name }, index) => [name, index]));
  const holders = processes.flatMap(({ grants }) =>
    grants
      .filter(({ provider }) => provider === EGRESS)
      .map(({ name, badge }) => ({ badge, endpoint: at.get(name) ?? bug(`a grant of ${name}, which is no endpoint`) })),
  );
  return encodeMessage(Egress, {
    schemaVersion: EGRESS_SCHEMA_VERSION,
    endpoints,
    holders,
    secrets: [...policy.secrets],
  });
}

/** Returns the name of a remote model's endpoint. No service can have such a name. */
export function nameModelEndpoint(backend: string): string {
  return `model.${backend}`;
}

/** Name of the endpoint for the audit's records, as the audit process knows it. No service can have this name. */
export const COLLECTOR = "audit.collector";

/** Returns the endpoints in code-unit order of names. */
function listEndpoints(policy: Policy): readonly Endpoint[] {
  const { services, collector } = policy;
  const asked = services.flatMap(({ name, implementation, scope }) =>
    implementation === EGRESS ? [createEndpoint(name, scope ?? bug(`${name} reaches nobody`))] : [],
  );
  const models = listUsedBackends(policy).flatMap((backend) =>
    backend.kind === "remote" ? [createEndpoint(nameModelEndpoint(backend.name), backend.scope)] : [],
  );
  const collectors = collector === undefined ? [] : [createEndpoint(COLLECTOR, collector)];
  return [...asked, ...models, ...collectors].sort((one, other) => compareCodeUnits(one.name, other.name));
}

function createEndpoint(name: string, { places, methods, ...limits }: Scope): Endpoint {
  return { name, places: [...places], methods: [...methods], ...limits };
}
