import {
  beginIn,
  type IndexedTables,
  listAdvertisedTools,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";

/** Tools that the model sees at the beginning of a session, task or phase. */
export interface VisibleTools {
  readonly session: string;
  /** Name of the task; empty outside of tasks. */
  readonly task: string;
  /** Name of the phase; empty outside of phases. */
  readonly phase: string;
  readonly tools: readonly { readonly tool: string; readonly mode: PermissionMode }[];
}

/**
 * Returns the tools of each session, task and phase, in the order of the tables. Workers are left out, because their
 * tools are a part of these tools.
 */
export function listVisibleTools(tables: IndexedTables): readonly VisibleTools[] {
  return tables.rows.flatMap((row, index) => {
    const { session, task, phase, worker } = row;
    if (worker !== "") return [];
    const advertised = listAdvertisedTools(tables, beginIn(row, index));
    return [{ session, task, phase, tools: advertised.map(({ tool, mode }) => ({ tool: tool.name, mode })) }];
  });
}
