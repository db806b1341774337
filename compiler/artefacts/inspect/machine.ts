// Describes what a manifest requires of the machine, and the limits that init and the kernel set for its processes.

import type { Manifest, Process } from "../../../engine/lib/wire/generated/manifest.ts";
import {
  countOwnDescriptors,
  formatSize,
  INIT_DESCRIPTORS,
  initDescriptors,
  MOST_DESCRIPTORS,
} from "../../phases/policy/index.ts";

interface MachineFacts {
  /** Memory in bytes that a machine must have; `null` for an image of an older compiler, which did not compute it. */
  readonly memoryBytes: string | null;
  readonly processes: Readonly<Record<string, number>>;
  /** Number of open descriptors of init, and of the process with the most descriptors. */
  readonly descriptors: readonly { readonly name: string; readonly open: number; readonly limit: number }[];
  /** For each process, its memory limit in the kernel, and the maximum size of its directory on the data disk. */
  readonly limits: readonly { readonly name: string; readonly memoryBytes: string; readonly diskBytes: string }[];
}

export function computeMachineFacts({ memoryBytes, processes }: Manifest): MachineFacts {
  const grants = processes.reduce((sum, process) => sum + process.grants.length, OF_INIT);
  const served = new Map<string, number>();
  for (const { provider } of processes.flatMap((process) => process.grants))
    served.set(provider, (served.get(provider) ?? 0) + 1);
  const open = processes.map((process) => ({
    name: process.name,
    open: countGivenDescriptors(process) + (served.get(process.name) ?? 0) + countOwnDescriptors(process.role),
    limit: MOST_DESCRIPTORS,
  }));
  const fullest = open.sort((one, other) => other.open - one.open || (one.name < other.name ? -1 : 1)).slice(0, 1);
  const init = { name: "init", open: initDescriptors(processes.length, grants), limit: INIT_DESCRIPTORS };
  const roles = [...Map.groupBy(processes, ({ role }) => role)].map(([role, of]) => [role, of.length] as const);
  return {
    memoryBytes: memoryBytes === 0n ? null : `${memoryBytes}`,
    processes: Object.fromEntries(roles.sort(([one], [other]) => (one < other ? -1 : 1))),
    descriptors: [init, ...fullest],
    limits: processes.map(({ name, memoryMaxBytes, stateMaxBytes }) => {
      return { name, memoryBytes: `${memoryMaxBytes}`, diskBytes: `${stateMaxBytes}` };
    }),
  };
}

/** Number of descriptors that init uses to record its own events. */
const OF_INIT = 1;

/**
 * Returns how many descriptors init passes to a process: its connections, and its files that are not directories. The
 * audit also gets the connection over which init records its own events.
 */
function countGivenDescriptors({ role, grants, files }: Process): number {
  const handed = files.filter(({ which }) => which === "blob" || which === "key" || which === "partition");
  return grants.length + handed.length + (role === "audit" ? OF_INIT : 0);
}

export function renderMachine(facts: MachineFacts): string[] {
  const counts = Object.entries(facts.processes).map(([role, count]) => `${count} ${role}`);
  const memory = facts.memoryBytes === null ? [] : [`${formatSize(Number(facts.memoryBytes))} of memory, `];
  const open = facts.descriptors.map(({ name, open, limit }) => `${name} ${open} of ${limit}`);
  return [`machine ${memory.join("")}${counts.join(", ")}`, `open    descriptors: ${open.join(", ")}`];
}

/** Returns the limits of memory and of space on the data disk for a process, in words. */
export function limitWords({ memoryMaxBytes, stateMaxBytes }: Process): string {
  const disk = stateMaxBytes === 0n ? "" : `, ${formatSize(Number(stateMaxBytes))} on the data disk`;
  return `at most ${formatSize(Number(memoryMaxBytes))} of memory${disk}`;
}
