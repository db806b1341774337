// Defines how each role is started, from its row of the table of roles. Every flag has a reason. In addition to the flags, the
// kernel enforces a jail.

import { NODE_PATH, programPath, ROLES, type Role, type RoleRow } from "../../engine/lib/roles/index.ts";
import { mayHold } from "../../engine/lib/roles/interfaces.ts";
import type { Process, Restart } from "../../engine/lib/wire/generated/manifest.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import type { Draft } from "./draft.ts";

/** Flags of each process that runs on Node. node-flags.test.ts tests them together on the Node of the image. */
export const NODE_FLAGS: readonly string[] = [
  "--jitless", // no memory that is both writable and executable; also no WebAssembly
  "--disallow-code-generation-from-strings", // no eval, no new Function
  "--disable-proto=delete", // __proto__ is an ordinary name
  "--disable-sigusr1", // no debugger can be opened from outside
  "--no-addons", // no native code except Node's own
  "--max-semi-space-size=1", // MiB; these processes are small, and there are many
  "--single-threaded-gc", // heaps are a few MiB: waking other threads for them costs more than they save
  "--optimize-for-size", // a heap grows in smaller steps, and an idle one returns unused memory
  "--max-old-space-size=48", // MiB; beyond it the process ends and its holders see it
];

type Start = Pick<Process, "exec" | "arguments" | "memoryMaxBytes" | "restart" | "answerWithinSeconds">;

const NEVER: Restart = { most: 0, withinSeconds: 0, pauseMs: 0 };
/**
 * Init restarts a process that ended, but at most five times within five minutes. If the process ends once more in this
 * time, it is broken. It stays ended, so that a person notices.
 */
const SOON: Restart = { most: 5, withinSeconds: 300, pauseMs: 200 };

const RESTARTS: Readonly<Record<RoleRow["restart"], Restart>> = { never: NEVER, soon: SOON };

/** Flag that is omitted for a role that loads native code from the verified root. */
const NO_ADDONS = "--no-addons";

/** Returns Node's flags for a role's process. */
export function getNodeFlags(role: Role): readonly string[] {
  const { program } = ROLES[role];
  const hasAddons = program.runs === "node" && program.hasAddons === true;
  return hasAddons ? NODE_FLAGS.filter((flag) => flag !== NO_ADDONS) : NODE_FLAGS;
}

/**
 * Time within which a process must answer init. This time is longer than the longest time for which the engine works
 * without a pause. In the slowest case, the engine verified 10,000 records in 4 s on a slow machine.
 */
const ANSWER_WITHIN_SECONDS = 30;

/** Returns how a role's process is started. `exec` is the path of a static program of the page. */
export function startOf(role: Role, own: readonly string[] = [], exec?: string): Start {
  const { program, memory, restart } = ROLES[role];
  const common = {
    memoryMaxBytes: BigInt(memory.most),
    restart: RESTARTS[restart],
    answerWithinSeconds: ANSWER_WITHIN_SECONDS,
  };
  switch (program.runs) {
    case "node":
      return { exec: NODE_PATH, arguments: [...getNodeFlags(role), programPath(role), ...own], ...common };
    case "static":
      return { exec: program.path, arguments: own, ...common };
    case "package":
      return { exec: exec ?? bug(`a process of the role ${role} without a program`), arguments: own, ...common };
  }
}

/** Throws if a planned process has a grant or a file that the table of roles does not allow for its role. */
export function checkDraft({ name, role, grants, files }: Draft): void {
  const row = ROLES[role];
  let held: bigint | undefined;
  grants.forEach(({ interfaceId, name: grant }) => {
    // A gate has thousands of grants of few interfaces, so consecutive grants of the same interface are checked once.
    if (interfaceId === held) return;
    if (!mayHold(row.holds, interfaceId)) bug(`${name} is granted ${grant}, which the role ${role} does not hold`);
    held = interfaceId;
  });
  for (const { which, name: file } of files)
    if (!row.handed.includes(which)) bug(`${name} is handed ${file}, which the role ${role} is not handed`);
}
