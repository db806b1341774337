import type { KernelReach } from "../../../../targets/contract/kernel-sources.ts";
import type { Service } from "../../../phases/bind/index.ts";
import { indexServices } from "../../../phases/policy/index.ts";
import {
  exportMeant,
  findExports,
  isForUpstream,
  type ReadGrant,
  readGrants,
} from "../../../phases/policy/upstream/graph.ts";
import { isProgram } from "../../../phases/policy/upstream/lower.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { exportUnfit, exportUnknown } from "./codes.ts";

/**
 * Checks that a service exports only its own kernel capabilities, and only those that others may have. Also checks that
 * a grant of another service selects one of its exports: by name, or without a name if there is only one.
 */
export const rule = defineLaw({
  reports: [exportUnfit, exportUnknown],
  check: ({ model }, report) => {
    if (!isForUpstream(model)) return;
    const services = indexServices(model);
    for (const service of model.services) for (const read of readGrants(service)) checkGrant(read, services, report);
  },
});

function checkGrant(read: ReadGrant, services: ReadonlyMap<string, Service>, report: Report): void {
  const { kernel, words, grant } = read;
  const at = grant.node.to.span;
  if (kernel === undefined) {
    const provider = services.get(grant.to.name);
    const why = words.isExported
      ? "an export of another service cannot be exported again"
      : provider && findFault(read, provider);
    if (why !== undefined) report(exportUnknown.at(at, { service: grant.to.name, why }));
    return;
  }
  const why =
    words.export === undefined
      ? words.isExported && UNFIT[kernel.reach]
      : "`export NAME` is only for grants of services";
  if (typeof why === "string") report(exportUnfit.at(at, { source: kernel.name, why }));
}

function findFault(read: ReadGrant, provider: Service): string | undefined {
  if (!isProgram(provider)) return "it has no static program, so it is not a process of upstream";
  if (exportMeant(read, provider) !== undefined) return undefined;
  const names = findExports(provider).map(({ name }) => name);
  return names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
}

const UNFIT: Readonly<Record<KernelReach, string | false>> = {
  endpoint: false,
  plain: false,
  bound: "it is bound to the process that has it",
  authority: "it gives rights over things that are not the service's own",
  measurement: "it is only for measurements",
};
