// A service may use another service through a grant; no line of a session decides about this. A claim about calls
// counts such a use as a call of the session, behind the gate of the call that leads to it. A claim about direct calls
// does not count such uses; its proof names them.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { findGrantPaths, indexServices, mayUse } from "../policy/index.ts";
import { type Gates, NO_GATE } from "./modes.ts";
import type { GrantedUse, Witness, WitnessStep } from "./proof.ts";
import type { RowReachability } from "./row-reachability.ts";

/** A tool whose call may lead its service to use another tool; both are indexes into the tables' tools. */
export interface GrantUse {
  readonly called: number;
  readonly used: number;
  /** Name of the service whose grant allows the use. */
  readonly by: string;
}

/** Returns all uses of these tools through grants, in the page's order. */
export function findGrantUses(tables: IndexedTables, model: Model, tools: ReadonlySet<number>): readonly GrantUse[] {
  const holders = model.services.filter(({ grants }) => grants.some(({ to }) => to.kind === "service"));
  if (holders.length === 0) return [];
  const services = indexServices(model);
  const toolsOf = Map.groupBy(model.tools, ({ service }) => service);
  const getToolIndex = (name: string) => tables.toolIndex.get(name) ?? -1;
  return holders.flatMap((holder) =>
    holder.grants.flatMap((grant) =>
      findGrantPaths(holder, grant, services).flatMap((path) => {
        const used = (toolsOf.get(path.held) ?? []).filter(({ name }) => tools.has(getToolIndex(name)));
        return (toolsOf.get(holder) ?? []).flatMap((called): GrantUse[] =>
          used
            .filter((one) => mayUse(called, one, path))
            .map((one) => ({ called: getToolIndex(called.name), used: getToolIndex(one.name), by: path.by.name })),
        );
      }),
    ),
  );
}

/** Returns the tools whose calls lead to these uses, each once, in ascending order. */
export function listUsers(uses: readonly GrantUse[]): readonly number[] {
  return [...new Set(uses.map(({ called }) => called))].sort((one, other) => one - other);
}

/** Finds the first of these uses that the last call of the witness can lead to, and adds the use to this call. */
export function nameUse({ tools }: IndexedTables, witness: Witness, uses: readonly GrantUse[]): Witness {
  const nameLast = (steps: readonly WitnessStep[]): readonly WitnessStep[] =>
    steps.map((step, at): WitnessStep => {
      if (at < steps.length - 1) return step;
      if (step.kind === "worker") return { ...step, steps: nameLast(step.steps) };
      const found = step.kind === "call" ? uses.find(({ called }) => tools[called]?.name === step.tool) : undefined;
      if (step.kind !== "call" || found === undefined) return step;
      const use: GrantedUse = { tool: tools[found.used]?.name ?? "", by: found.by };
      return { ...step, use };
    });
  const last = witness.conversations.length - 1;
  return {
    conversations: witness.conversations.map((one, at) => (at < last ? one : { ...one, steps: nameLast(one.steps) })),
  };
}

/** An indirect effect of a call, which a claim about direct calls does not count. */
export interface UncountedWay {
  /** The called tool, as an index into the tables' tools. */
  readonly called: number;
  /** Gates behind which the call must run to count. */
  readonly gates: Gates;
  /** Text such as "`changes.apply` may use `papers.write`". */
  readonly words: string;
}

/**
 * Returns the texts of those indirect effects whose call can be made by some conversation in the rows. Each text is
 * returned once.
 */
export function describeWays(
  reachability: RowReachability,
  rows: readonly boolean[],
  ways: readonly UncountedWay[],
): readonly string[] {
  const canRun = ({ called, gates }: UncountedWay) =>
    rows.some((isAsked, row) => isAsked && (reachability.getPossibleGates(row, called) & gates) !== NO_GATE);
  return [...new Set(ways.filter(canRun).map(({ words }) => words))];
}
