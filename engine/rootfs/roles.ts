// The roles that are Node programs: each becomes one file in the root. A new role is a line here, a folder under
// engine/, and a jail under engine/jails/.

export interface Role {
  readonly name: string;
  /** Below the checkout. */
  readonly entry: string;
}

export const ROLES: readonly Role[] = [
  { name: "audit", entry: "engine/audit/main.ts" },
  { name: "broker", entry: "engine/broker/main.ts" },
  { name: "conversations", entry: "engine/conversations/main.ts" },
  { name: "egress", entry: "engine/egress/main.ts" },
  { name: "files", entry: "engine/services/files/main.ts" },
  { name: "gate", entry: "engine/gate/main.ts" },
  { name: "logs", entry: "engine/services/logs/main.ts" },
  { name: "loop", entry: "engine/loop/main.ts" },
  { name: "model", entry: "engine/model/main.ts" },
  { name: "model-local", entry: "engine/model/local/main.ts" },
  { name: "model-remote", entry: "engine/model/remote/main.ts" },
  { name: "own", entry: "engine/services/own/main.ts" },
  { name: "services", entry: "engine/services/services/main.ts" },
  { name: "status", entry: "engine/services/status/main.ts" },
];

/** Where the programs of a role lie in the root. */
export const programPath = (role: string): string => `/capos/${role}.mjs`;

/** Where weights are seen in the jail of the role that runs them; an empty file in the root. */
export const WEIGHTS_PATH = "/weights";

/** Where prefilled states are seen there; an empty folder in the root. */
export const STATES_PATH = "/states";

export const NODE_PATH = "/usr/bin/node";
export const CONSOLE_PATH = "/usr/bin/capos-console";
