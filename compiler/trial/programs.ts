// The program of each role, loaded when a page needs it: a page without a network loads no TLS, and one with a stub no engine.

import type { Role } from "../../engine/lib/roles/index.ts";
import type { Program } from "../../engine/lib/wire/program.ts";

/** Roles without an entry do not run here: the console is the terminal of this program, and a static program needs its jail. */
const PROGRAMS: Readonly<Partial<Record<Role, () => Promise<Program>>>> = {
  audit: async () => (await import("../../engine/processes/audit/run.ts")).runAudit,
  broker: async () => (await import("../../engine/processes/broker/run.ts")).runBroker,
  conversations: async () => (await import("../../engine/processes/conversations/run.ts")).runConversations,
  egress: async () => (await import("../../engine/processes/egress/run.ts")).runEgress,
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

/** Returns the programs of some roles. */
export async function loadPrograms(roles: Iterable<Role>): Promise<ReadonlyMap<Role, Program>> {
  const loaded = [...new Set(roles)].map(async (role) => [role, await PROGRAMS[role]?.()] as const);
  const found = await Promise.all(loaded);
  return new Map(found.flatMap(([role, program]) => (program === undefined ? [] : [[role, program] as const])));
}
