// Computes the contents of a page's image, and the memory that its processes usually use.

import { formatLabel, formatSecrecy } from "../../../engine/lib/policy/index.ts";
import type { NetworkPlan, Policy } from "../../../targets/contract/policy.ts";
import type { Scope } from "../../../targets/contract/scope.ts";
import { computeNeeds, MACHINE_BYTES } from "../../phases/policy/index.ts";
import type { BackendContents, ImageContents, MemoryPlan, ServiceContents } from "./plan-report.ts";

export function describeContents(policy: Policy): ImageContents {
  const { image, network, services, storage } = policy;
  const stateBytes = services.reduce((sum, service) => sum + service.stateBytes, 0);
  return {
    processes:
      image.upstream === undefined
        ? computeNeeds(policy).processes.map(({ name, role }) => ({ name, role }))
        : image.upstream.services.map(({ name, binary }) => ({ name, role: binary })),
    services: services.map((service) => describeService(service, policy)),
    backends: policy.tables.backends.map((backend) => describeBackend(backend, policy)),
    disk: storage === undefined ? null : { name: storage.disk, encrypted: storage.encrypted, bytes: stateBytes },
    network: network === undefined ? null : renderAddress(network),
  };
}

function describeService(
  { name, interfaceName, label, own, stateBytes, scope }: Policy["services"][number],
  { tables }: Policy,
): ServiceContents {
  return {
    name,
    interface: interfaceName,
    label: formatLabel(tables.lattice, label),
    program: own === undefined ? null : { path: own.path, bytes: own.bytes.length },
    stateBytes,
    reaches: listAddresses(scope),
  };
}

function describeBackend(
  { name, kind, clearance }: Policy["tables"]["backends"][number],
  { backends, tables }: Policy,
): BackendContents {
  const plan = backends.find((backend) => backend.name === name);
  const of = { name, kind, clearance: formatSecrecy(tables.lattice, clearance) };
  switch (plan?.kind) {
    case undefined:
      return { ...of, model: null, bytes: 0, reaches: [] };
    case "stub":
      return { ...of, model: plan.replies?.path ?? null, bytes: plan.replies?.bytes.length ?? 0, reaches: [] };
    case "cpu":
      return { ...of, model: plan.model.path, bytes: plan.model.bytes, reaches: [] };
    case "remote":
      return { ...of, model: plan.model, bytes: 0, reaches: listAddresses(plan.scope) };
  }
}

function listAddresses(scope: Scope | undefined): readonly string[] {
  return (scope?.places ?? []).map(({ scheme, host, port, path }) => `${scheme}://${host}:${port}${path}`);
}

function renderAddress(network: NetworkPlan): string {
  return network.which === "dhcp" ? "an address by DHCP" : `${network.fixed.address}/${network.fixed.prefix}`;
}

/** Returns the usual memory by role, or `null` for an image with upstream's kernel. */
export function planMemory(policy: Policy): MemoryPlan | null {
  const { image } = policy;
  if (image.upstream !== undefined) return null;
  const { processes, memoryBytes } = computeNeeds(policy);
  const roles = [...Map.groupBy(processes, ({ role }) => role)].map(([role, of]) => ({
    role,
    processes: of.length,
    bytes: of.reduce((sum, process) => sum + process.memoryBytes, 0),
  }));
  const ofRoles = roles.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    machineBytes: image.memoryBytes,
    usedBytes: memoryBytes,
    // The kernel uses more memory on a larger machine.
    sharedBytes: Math.max(MACHINE_BYTES, memoryBytes - ofRoles),
    roles: roles.sort((one, other) => other.bytes - one.bytes || (one.role < other.role ? -1 : 1)),
  };
}
