import type { AuditNode, DigestsLine } from "../../../lang/tree/index.ts";
import { auditUnfit } from "./codes.ts";
import { type Context, selectKind, takeOnce } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import type { BoundAudit, BoundDigests, BoundNetwork, Lattice } from "./model/index.ts";

const INSTEAD = "write `digests above LABEL`, `keep until exported`, or both";

interface Around {
  readonly lattice: Lattice;
  readonly network: BoundNetwork | undefined;
}

/** Returns what the page says about the audit log, or `undefined` if it has no such lines or they cannot be read. */
export function bindAudit(
  context: Context,
  { lattice, network }: Around,
  nodes: readonly AuditNode[],
): BoundAudit | undefined {
  const node = takeOnce(context, "`audit`", nodes);
  if (node === undefined) return undefined;
  if (node.lines.length === 0) {
    if (!node.damaged) context.report(auditUnfit.at(node.span, { fault: "it states nothing", instead: INSTEAD }));
    return undefined;
  }
  const limit = takeOnce(context, "`digests` of `audit`", selectKind(node.lines, "digests"));
  const keep = takeOnce(context, "`keep` of `audit`", selectKind(node.lines, "keep"));
  const digests = limit && bindDigests(context, lattice, limit);
  if (keep?.until === "shipped" && network?.collector === undefined) {
    const fault = "`keep until shipped` waits for a collector, and the page names none";
    const instead =
      'name one, such as `network { collector "syslog", "logs.example" }`, or write `keep until exported`';
    context.report(auditUnfit.at(keep.span, { fault, instead }));
    return undefined;
  }
  return digests === undefined && keep === undefined ? undefined : { digests, keep, node };
}

function bindDigests(context: Context, lattice: Lattice, line: DigestsLine): BoundDigests | undefined {
  const above = bindLabel(context, lattice, line.above);
  if (above?.integrity === undefined) return above && { above, line };
  const fault = "its label has an integrity, but the limit is only about who may read the log";
  const instead = "write the level, and compartments if it has any";
  context.report(auditUnfit.at(line.above.span, { fault, instead }));
  return undefined;
}
