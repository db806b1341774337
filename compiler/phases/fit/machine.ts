import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { startOf } from "../../../lang/text/index.ts";
import type { Model } from "../bind/index.ts";
import {
  computeNeeds,
  INIT_DESCRIPTORS,
  isForUpstream,
  MOST_DESCRIPTORS,
  MOST_ENTRIES,
  type Needs,
  type Policy,
} from "../policy/index.ts";
import { machineLimit, machineTooSmall } from "./codes.ts";

const MIB = 1024 * 1024;

/**
 * Returns findings if the processes of the page need more than its machine has. The list of processes is computed from
 * the policy, so the page must have no errors.
 */
export function checkMachine(policy: Policy, model: Model): Diagnostic[] {
  if (isForUpstream(model)) return [];
  const needs = computeNeeds(policy);
  const { image, system } = model;
  const at = image?.node.span ?? system?.name.span ?? startOf("system.cap");
  const { memoryBytes } = policy.image;
  const small =
    needs.memoryBytes <= memoryBytes
      ? []
      : [
          machineTooSmall.at(image?.memory?.span ?? at, {
            ...convertToMebibytes(needs, memoryBytes),
            most: describeLargestRoles(needs),
          }),
        ];
  const limits = collectLimits(needs).filter(({ count, limit }) => count > limit);
  return [...small, ...limits.map((facts) => machineLimit.at(at, facts))];
}

function convertToMebibytes({ memoryBytes, processes }: Needs, machine: number) {
  return { needs: Math.ceil(memoryBytes / MIB), has: Math.floor(machine / MIB), processes: processes.length };
}

/** Describes the three roles whose processes need the most memory. */
function describeLargestRoles({ processes }: Needs): string {
  const roles = [...Map.groupBy(processes, ({ role }) => role)].map(([role, of]) => {
    return { role, count: of.length, bytes: of.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) };
  });
  return roles
    .sort((one, other) => other.bytes - one.bytes || (one.role < other.role ? -1 : 1))
    .slice(0, 3)
    .map(({ role, count, bytes }) => `${count} ${role} (${Math.ceil(bytes / MIB)} MiB)`)
    .join(", ");
}

function collectLimits({ processes, descriptors, artefacts }: Needs) {
  return [
    { who: "the image", what: "processes", count: processes.length, limit: MOST_ENTRIES },
    { who: "the image", what: "artefacts", count: artefacts, limit: MOST_ENTRIES },
    { who: "init", what: "descriptors open", count: descriptors, limit: INIT_DESCRIPTORS },
    ...processes.map(({ name, given, own }) => {
      return { who: `\`${name}\``, what: "descriptors open", count: given + own, limit: MOST_DESCRIPTORS };
    }),
  ];
}
