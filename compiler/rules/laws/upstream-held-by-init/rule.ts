import {
  findForwardedCap,
  getUpstream,
  type InitCap,
  initCaps,
  isForwarded,
  type ReadGrant,
  readGrants,
} from "../../../phases/policy/upstream/graph.ts";
import { isProgram } from "../../../phases/policy/upstream/lower.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { initCannotStart, notHeldByInit } from "./codes.ts";

/** Checks that init holds every kernel capability that a service is granted, and the capabilities that init needs to start services. */
export const rule = defineLaw({
  reports: [initCannotStart, notHeldByInit],
  check: ({ model }, report) => {
    const upstream = getUpstream(model);
    if (upstream === undefined) return;
    const { caps, unreadable } = initCaps(upstream);
    // A setting that could not be parsed may name the capability that seems to be missing, so nothing is reported.
    if (unreadable.length > 0) return;
    for (const service of model.services) for (const read of readGrants(service)) checkGrant(read, caps, report);
    const [first] = upstream.init;
    if (first === undefined || !model.services.some(isProgram)) return;
    for (const what of NEEDED) {
      if (!caps.some(({ kernel }) => kernel.name === what)) report(initCannotStart.at(first.span, { what }));
    }
  },
});

const NEEDED = ["process_spawner", "boot_package"];

function checkGrant(read: ReadGrant, caps: readonly InitCap[], report: Report): void {
  const { kernel, grant, words } = read;
  if (kernel === undefined || (kernel.reach !== "authority" && !isForwarded(kernel))) return;
  const held = findForwardedCap(caps, read);
  const why = caps.every((cap) => cap.kernel !== kernel)
    ? "init does not hold it"
    : isForwarded(kernel) && held === undefined
      ? "init holds several of this kind, but none with this name"
      : isForwarded(kernel) && held?.words.badge !== words.badge
        ? "init holds it with another badge"
        : undefined;
  if (why !== undefined) report(notHeldByInit.at(grant.node.to.span, { source: kernel.name, why }));
}
