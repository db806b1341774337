// Builds the view of the resources that the page needs: memory and descriptors as the compiler computes them, and the
// state of services on the data disk.

import {
  computeNeeds,
  formatSize,
  INIT_DESCRIPTORS,
  type MemoryShare,
  MOST_DESCRIPTORS,
} from "../../../phases/policy/index.ts";
import type { ProcessFacts, Subject } from "../subject.ts";

export interface MachineView {
  /** Memory that all parts together need; `has` is the machine's memory. */
  readonly needs: string;
  readonly has: string;
  /** Memory by part: the kernel and init first, then the roles, the largest role first. */
  readonly parts: readonly { readonly part: string; readonly processes: number; readonly memory: string }[];
  /** Numbers of open files: of init, and of the process that may have the most. */
  readonly descriptors: readonly { readonly who: string; readonly open: number; readonly limit: number }[];
  readonly states: readonly StateView[];
}

interface StateView {
  readonly service: string;
  /** Maximum size of the files that the service stores, as the page states it. */
  readonly state: string;
  /**
   * Size above which the kernel refuses writes. The limit is larger than `state`, because files occupy whole blocks,
   * and a file that is being replaced is stored twice.
   */
  readonly limit: string;
}

type Facts = Pick<Subject, "policy"> & { readonly processes: readonly Pick<ProcessFacts, "name" | "diskBytes">[] };

/** Returns null if no image can be built from the page. */
export function buildMachineView({ policy, processes }: Facts): MachineView | null {
  if (processes.length === 0) return null;
  const needs = computeNeeds(policy);
  const started = needs.processes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const limits = new Map(processes.map(({ name, diskBytes }) => [name, Number(diskBytes)]));
  return {
    needs: formatSize(needs.memoryBytes),
    has: formatSize(policy.image.memoryBytes),
    parts: [
      { part: "kernel and init", processes: 0, memory: formatSize(needs.memoryBytes - started) },
      ...sumByRole(needs.processes),
    ],
    descriptors: [
      { who: "init", open: needs.descriptors, limit: INIT_DESCRIPTORS },
      ...findFullest(needs.processes).map(({ name, given, own }) => {
        return { who: name, open: given + own, limit: MOST_DESCRIPTORS };
      }),
    ],
    states: policy.services.flatMap(({ name, stateBytes }) => {
      const limit = limits.get(name) ?? 0;
      return stateBytes === 0 ? [] : [{ service: name, state: formatSize(stateBytes), limit: formatSize(limit) }];
    }),
  };
}

function sumByRole(processes: readonly MemoryShare[]) {
  return [...Map.groupBy(processes, ({ role }) => role)]
    .map(([part, of]) => ({ part, count: of.length, bytes: of.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) }))
    .sort((one, other) => other.bytes - one.bytes || (one.part < other.part ? -1 : 1))
    .map(({ part, count, bytes }) => ({ part, processes: count, memory: formatSize(bytes) }));
}

/**
 * Returns the process that may have the most open files. If several may have the same number, returns the first by
 * name.
 */
function findFullest(processes: readonly MemoryShare[]): readonly MemoryShare[] {
  const open = ({ given, own }: MemoryShare): number => given + own;
  return [...processes].sort((one, other) => open(other) - open(one) || (one.name < other.name ? -1 : 1)).slice(0, 1);
}
