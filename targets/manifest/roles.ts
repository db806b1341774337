// How each role is started, and what happens when it dies. Every flag has its reason; the jails add what the kernel enforces.
import type { Process, Restart } from "../../engine/lib/wire/generated/manifest.ts";

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
  "--single-threaded-gc", // heaps are a few MiB: to wake other threads for them costs more than they save
  "--optimize-for-size", // a heap grows by less, and an idle one gives back what it no longer needs
  "--max-old-space-size=48", // MiB; beyond it the process ends and its holders see it
];

export type Role =
  | "audit"
  | "broker"
  | "console"
  | "conversations"
  | "egress"
  | "gate"
  | "loop"
  | "model"
  | "model-local"
  | "model-remote"
  | "files"
  | "logs"
  | "services"
  | "status"
  | "own"
  | "own-native";

type Start = Pick<Process, "exec" | "arguments" | "memoryMaxBytes" | "restart" | "answerWithinSeconds">;

const NEVER: Restart = { most: 0, withinSeconds: 0, pauseMs: 0 };
/** An accident is over with the next start; who dies a sixth time within five minutes is broken, and says so by staying dead. */
const SOON: Restart = { most: 5, withinSeconds: 300, pauseMs: 200 };

/** What happens when one has died; a closed list, so that a new role has to think about it. */
const RESTARTS: Readonly<Record<Role, Restart>> = {
  console: NEVER, // nobody could be asked meanwhile; the machine stops with it
  gate: NEVER, // it holds the labels of its conversation, which would begin clean
  broker: NEVER, // all that it counts but for days and principals is in its memory, and would begin anew
  audit: SOON, // it verifies its log first; calls that were under way stay unknown
  conversations: SOON, // what it acknowledged is on the disk; in memory all is gone, and loops say so
  loop: SOON, // what was said it reads from the store, the labels are the gate's and stay
  model: SOON,
  "model-local": SOON,
  "model-remote": SOON, // an answer that was under way is none; its provider is asked again by nobody
  egress: SOON, // requests that were under way are answered with `closed`; nothing is repeated
  files: SOON,
  logs: SOON,
  services: SOON,
  status: SOON,
  own: SOON,
  "own-native": SOON,
};

/** The one flag that the local model does without: the inference engine is native code, of the verified root. */
const NO_ADDONS = "--no-addons";

/** What Node is told of a role's process. */
export function flagsOf(role: Role): readonly string[] {
  return role === "model-local" ? NODE_FLAGS.filter((flag) => flag !== NO_ADDONS) : NODE_FLAGS;
}

/** Nothing of the engine works for so long without a pause; the slowest verified 10,000 records in 4 s on a slow machine. */
const ANSWER_WITHIN_SECONDS = 30;

/** Measured resident sizes are 43 MiB for Node and 3 MiB for the console; the rest is room for work. `exec`: a static program. */
export function startOf(role: Role, own: readonly string[] = [], exec?: string): Start {
  const supervision = { restart: RESTARTS[role], answerWithinSeconds: ANSWER_WITHIN_SECONDS };
  if (exec !== undefined) return { exec, arguments: own, memoryMaxBytes: BigInt(64 * MIB), ...supervision };
  if (role === "console") {
    return { exec: CONSOLE, arguments: own, memoryMaxBytes: BigInt(16 * MIB), ...supervision };
  }
  return {
    exec: NODE,
    arguments: [...flagsOf(role), `/capos/${role}.mjs`, ...own],
    memoryMaxBytes: BigInt(128 * MIB),
    ...supervision,
  };
}
