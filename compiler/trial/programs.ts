// Loads the program of each role only if the page needs it. So a page without a network loads no TLS, and a page with
// only canned replies loads no engine.

import type { Role } from "../../engine/lib/roles/index.ts";
import type { Program } from "../../engine/lib/wire/program.ts";
import type { StandIn } from "../../engine/processes/egress/connection.ts";

/**
 * Programs by role. Roles without an entry do not run in a trial: the console is a part of this program, and static
 * programs need their jails.
 */
const PROGRAMS: Readonly<Partial<Record<Role, () => Promise<Program>>>> = {
  audit: async () => (await import("../../engine/processes/audit/run.ts")).runAudit,
  broker: async () => (await import("../../engine/processes/broker/run.ts")).runBroker,
  conversations: async () => (await import("../../engine/processes/conversations/run.ts")).runConversations,
  egress: async () => await loadEgress(),
  files: async () => (await import("../../engine/processes/services/files/run.ts")).runFiles,
  gate: async () => (await import("../../engine/processes/gate/run.ts")).runGate,
  logs: async () => (await import("../../engine/processes/services/logs/run.ts")).runLogs,
  loop: async () => (await import("../../engine/processes/loop/run.ts")).runLoop,
  model: async () => (await import("../../engine/processes/model/run.ts")).runStub,
  "model-local": async () => (await import("../../engine/processes/model/local/run.ts")).runLocal,
  "model-remote": async () => (await import("../../engine/processes/model/remote/run.ts")).runRemote,
  own: async () => (await import("../../engine/processes/services/own/run.ts")).runOwn,
  services: async () => (await import("../../engine/processes/services/services/run.ts")).runServices,
  status: async () => (await import("../../engine/processes/services/status/run.ts")).runStatus,
};

/** Returns the programs of these roles by role, without roles that do not run here. `standIn` replaces the network. */
export async function loadPrograms(
  roles: Iterable<Role>,
  standIn: StandIn | undefined,
): Promise<ReadonlyMap<Role, Program>> {
  const programs = { ...PROGRAMS, ...(standIn && { egress: async () => await loadEgress(standIn) }) };
  const loaded = [...new Set(roles)].map(async (role) => [role, await programs[role]?.()] as const);
  const found = await Promise.all(loaded);
  return new Map(found.flatMap(([role, program]) => (program === undefined ? [] : [[role, program] as const])));
}

async function loadEgress(standIn?: StandIn): Promise<Program> {
  return (await import("../../engine/processes/egress/run.ts")).createEgress(standIn);
}
