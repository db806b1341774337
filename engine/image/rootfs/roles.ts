// The roles that are Node programs: each becomes one file in the root. A new role is a line here, a folder under
// engine/, and a jail under engine/image/jails/.

export interface Role {
  readonly name: string;
  /** Below the checkout. */
  readonly entry: string;
}

export const ROLES: readonly Role[] = [
  { name: "audit", entry: "engine/processes/audit/main.ts" },
  { name: "broker", entry: "engine/processes/broker/main.ts" },
  { name: "conversations", entry: "engine/processes/conversations/main.ts" },
  { name: "egress", entry: "engine/processes/egress/main.ts" },
  { name: "files", entry: "engine/processes/services/files/main.ts" },
  { name: "gate", entry: "engine/processes/gate/main.ts" },
  { name: "logs", entry: "engine/processes/services/logs/main.ts" },
  { name: "loop", entry: "engine/processes/loop/main.ts" },
  { name: "model", entry: "engine/processes/model/main.ts" },
  { name: "model-local", entry: "engine/processes/model/local/main.ts" },
  { name: "model-remote", entry: "engine/processes/model/remote/main.ts" },
  { name: "own", entry: "engine/processes/services/own/main.ts" },
  { name: "services", entry: "engine/processes/services/services/main.ts" },
  { name: "status", entry: "engine/processes/services/status/main.ts" },
];

/** Where the programs of a role lie in the root. */
export const programPath = (role: string): string => `/capos/${role}.mjs`;

/** Where weights are seen in the jail of the role that runs them; an empty file in the root. */
export const WEIGHTS_PATH = "/weights";

/** Where prefilled states are seen there; an empty folder in the root. */
export const STATES_PATH = "/states";

export const NODE_PATH = "/usr/bin/node";
export const CONSOLE_PATH = "/usr/bin/capos-console";
