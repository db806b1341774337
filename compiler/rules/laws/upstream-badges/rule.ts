import type { Span } from "../../../../lang/text/index.ts";
import type { KernelSource } from "../../../../targets/contract/kernel-sources.ts";
import { getUpstream, initCaps, readGrants } from "../../../phases/policy/upstream/graph.ts";
import { defineLaw } from "../../support/law.ts";
import { badgeUnfit } from "./codes.ts";

/** Checks that the kernel source of each capability accepts the capability's badge. */
export const rule = defineLaw({
  reports: [badgeUnfit],
  check: ({ model }, report) => {
    const upstream = getUpstream(model);
    if (upstream === undefined) return;
    const ask = (kernel: KernelSource | undefined, badge: bigint, at: Span | undefined) => {
      const why = kernel && findFault(kernel, badge);
      if (at !== undefined && kernel !== undefined && why !== undefined)
        report(badgeUnfit.at(at, { what: kernel.name, why }));
    };
    for (const { kernel, words, grant } of model.services.flatMap(readGrants))
      ask(kernel, words.badge, grant.node.to.span);
    for (const { kernel, words, at } of initCaps(upstream).caps) ask(kernel, words.badge, at?.span);
  },
});

const MOST_PORT = 65_535n;

/**
 * Returns the fault of a badge, or `undefined` if it is valid. For an export of another service, any badge is valid,
 * because the provider uses it only to tell its callers apart.
 */
function findFault({ name }: KernelSource, badge: bigint): string | undefined {
  if (name !== "tcp_listen_authority") return badge === 0n ? undefined : "of the kernel has no badge";
  return badge >= 1n && badge <= MOST_PORT
    ? undefined
    : "needs as its badge the port on which it listens, from 1 to 65535";
}
