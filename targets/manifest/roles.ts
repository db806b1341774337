// How each role is started. Every flag has its reason; the jails add what the kernel enforces.

const MIB = 1024 * 1024;

const NODE = "/usr/bin/node";
const CONSOLE = "/usr/bin/capos-console";

/** Tried together on the Node of the image; see node-flags.test.ts. */
export const NODE_FLAGS: readonly string[] = [
  "--jitless", // no memory that is writable and executable; no WebAssembly either
  "--disallow-code-generation-from-strings", // no eval, no new Function
  "--disable-proto=delete", // __proto__ is an ordinary name
  "--disable-sigusr1", // no debugger is opened from outside
  "--no-addons", // no native code but Node's own
  "--max-semi-space-size=1", // MiB; these processes are small, and there are many
  "--max-old-space-size=48", // MiB; beyond it the process ends and its holders see it
];

export type Role = "audit" | "broker" | "console" | "gate" | "loop" | "model" | "files" | "logs" | "status" | "own";

export interface Start {
  readonly exec: string;
  readonly arguments: readonly string[];
  readonly memoryMaxBytes: bigint;
}

/** Measured resident sizes are 43 MiB for Node and 3 MiB for the console; the rest is room for work. */
export function startOf(role: Role, own: readonly string[] = []): Start {
  if (role === "console") return { exec: CONSOLE, arguments: own, memoryMaxBytes: BigInt(16 * MIB) };
  return {
    exec: NODE,
    arguments: [...NODE_FLAGS, `/capos/${role}.mjs`, ...own],
    memoryMaxBytes: BigInt(128 * MIB),
  };
}
