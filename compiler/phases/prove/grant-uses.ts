// A service may use another service by a grant. That is a call of the service and not of the session, so claims about calls do
// not count it; a proof names such uses.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { findGrantPaths, indexServices, mayUse } from "../policy/index.ts";
import type { Goal } from "./goal.ts";
import { NO_GATE } from "./modes.ts";
import type { RowReachability } from "./row-reachability.ts";

/** A tool by which its service may come to use another one; indexes into the tables' tools. */
export interface GrantUse {
  readonly called: number;
  readonly used: number;
}

/** Returns all uses of these tools by grants, in the page's order. */
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
            .map((one) => ({ called: getToolIndex(called.name), used: getToolIndex(one.name) })),
        );
      }),
    ),
  );
}

/** Renders the uses that a conversation can reach by a call of the goal's rows behind its gates, each once. */
export function describeUses(
  reachability: RowReachability,
  { tools }: IndexedTables,
  { rows, calls }: Goal,
  uses: readonly GrantUse[],
): readonly string[] {
  if (calls === undefined) return [];
  const canRun = (tool: number) =>
    rows.some((isAsked, row) => isAsked && (reachability.getPossibleGates(row, tool) & calls.gates) !== NO_GATE);
  const name = (tool: number) => `\`${tools[tool]?.name}\``;
  const found = uses.filter(({ called }) => canRun(called));
  return [...new Set(found.map(({ called, used }) => `${name(called)} may use ${name(used)}`))];
}
