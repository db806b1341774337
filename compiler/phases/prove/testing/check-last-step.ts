import { MODES } from "./arguments.ts";
import {
  type Asked,
  callsOf,
  changesOrSends,
  isViolatedIn,
  leadingTo,
  outwardOf,
  sharing,
  subjectRows,
} from "./claims.ts";
import type { Ended } from "./replay.ts";
import type { System } from "./system.ts";

/** Returns whether the last step of a witness breaks the claim. */
export function breaks(system: System, asked: Asked, { states, last }: Ended): boolean {
  const { claim } = asked;
  const rows = subjectRows(system, asked);
  const there = states.filter(({ row }) => rows.some((one) => one === system.tables.rows[row]));
  // Claims of these two kinds are not about the last step alone, so the only check is that the trace ends in a row of
  // the claim.
  if (claim.kind === "limit" || claim.kind === "guest-local") return there.length > 0;
  if (!there.some((state) => isViolatedIn(system, asked, state))) return false;
  const tool = last?.kind === "call" ? system.tables.tools.find(({ name }) => name === last.tool) : undefined;
  switch (claim.kind) {
    case "remote-clearance":
      return last?.kind === "infer" && last.backend === system.tables.backends[claim.backend]?.name;
    case "never-flow":
      if (claim.to.kind === "backend") return last?.kind === "infer" && last.backend === claim.to.backend.name;
      return tool !== undefined && holders(system, claim.to).has(tool.provider);
    case "never-trifecta":
      if (last?.kind === "infer") return true;
      return (
        tool !== undefined && outwardOf(system).has(tool.provider) && last?.kind === "call" && last.gate === "auto"
      );
    case "anonymous-asks":
      return (
        last?.kind === "call" && tool !== undefined && leadingTo(system, changesOrSends)(tool) && last.gate === "auto"
      );
    case "never-call":
    case "always": {
      if (last?.kind !== "call" || tool === undefined || !callsOf(system, claim)(tool)) return false;
      if (claim.kind === "always") return MODES.indexOf(last.gate) < MODES.indexOf(claim.mode);
      return !claim.ungated || last.gate === "auto";
    }
  }
}

type Target =
  | { readonly kind: "service"; readonly service: { readonly name: string } }
  | { readonly kind: "interface"; readonly interface: { readonly name: string } };

function holders(system: System, to: Target): ReadonlySet<string> {
  const named = system.stores.filter(({ name, interfaceName }) =>
    to.kind === "service" ? name === to.service.name : interfaceName === to.interface.name,
  );
  return sharing(system, new Set(named.map(({ name }) => name)));
}
