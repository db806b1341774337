import type { AuditNode } from "../../../lang/tree/index.ts";
import { auditUnfit } from "./codes.ts";
import { type Context, takeOnce } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import type { BoundAudit, Lattice } from "./model/index.ts";

const INSTEAD = "write `digests above LABEL`";

/** Returns the page's limit of the audit log, or `undefined` if the page has no limit or an invalid one. */
export function bindAudit(context: Context, lattice: Lattice, nodes: readonly AuditNode[]): BoundAudit | undefined {
  const node = takeOnce(context, "`audit`", nodes);
  if (node === undefined) return undefined;
  const line = takeOnce(context, "`digests` of `audit`", node.lines);
  if (line === undefined) {
    if (!node.damaged) context.report(auditUnfit.at(node.span, { fault: "it states nothing", instead: INSTEAD }));
    return undefined;
  }
  const above = bindLabel(context, lattice, line.above);
  if (above?.integrity === undefined) return above && { above, line, node };
  const fault = "its label has an integrity, but the limit is only about who may read the log";
  const instead = "write the level, and compartments if it has any";
  context.report(auditUnfit.at(line.above.span, { fault, instead }));
  return undefined;
}
