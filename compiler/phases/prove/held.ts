// What a service does with another one that it is granted is a call of its own, and no claim about calls of a session counts it. A
// proof that leaves such a way says so.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { findGrantPaths, indexServices, mayUse } from "../policy/index.ts";
import type { CallGoal } from "./goal.ts";
import { NO_GATE } from "./modes.ts";
import type { Running } from "./running.ts";

/** A tool by which its service may come to use another one; indexes into the tables' tools. */
export interface HeldUse {
  readonly called: number;
  readonly used: number;
}

/** All ways to one of these tools by grants, in the page's order. */
export function findHeldUses(tables: IndexedTables, model: Model, tools: ReadonlySet<number>): readonly HeldUse[] {
  const holders = model.services.filter(({ grants }) => grants.some(({ to }) => to.kind === "service"));
  if (holders.length === 0) return [];
  const services = indexServices(model);
  const toolsOf = Map.groupBy(model.tools, ({ service }) => service);
  const getToolIndex = (name: string) => tables.toolIndex.get(name) ?? -1;
  return holders.flatMap((holder) =>
    holder.grants.flatMap((grant) =>
      findGrantPaths(holder, grant, services).flatMap((way) => {
        const used = (toolsOf.get(way.held) ?? []).filter(({ name }) => tools.has(getToolIndex(name)));
        return (toolsOf.get(holder) ?? []).flatMap((called): HeldUse[] =>
          used
            .filter((one) => mayUse(called, one, way))
            .map((one) => ({ called: getToolIndex(called.name), used: getToolIndex(one.name) })),
        );
      }),
    ),
  );
}

/** Those that some conversation of the rows can come to behind one of the gates, in words and each once. */
export function describeUses(
  running: Running,
  { tools }: IndexedTables,
  rows: readonly boolean[],
  { gates }: CallGoal,
  held: readonly HeldUse[],
): readonly string[] {
  const canRun = (tool: number) =>
    rows.some((isAsked, row) => isAsked && (running.getPossibleGates(row, tool) & gates) !== NO_GATE);
  const name = (tool: number) => `\`${tools[tool]?.name}\``;
  const found = held.filter(({ called }) => canRun(called));
  return [...new Set(found.map(({ called, used }) => `${name(called)} may use ${name(used)}`))];
}
