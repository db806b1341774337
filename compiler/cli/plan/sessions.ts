// Describes the authority of each session: its tools, grouped by the gate of their calls.

import {
  chooseAdvertisedMode,
  findList,
  type IndexedTables,
  isStricter,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import type { GatedTool, SessionAuthority, ToolsByGate } from "./plan-report.ts";

/** Returns the sessions: first the one that boots, then in the order of the tables. */
export function describeSessions(tables: IndexedTables, boot: string): readonly SessionAuthority[] {
  const sessions = [...Map.groupBy(tables.rows, ({ session }) => session)];
  const first = sessions.filter(([name]) => name === boot);
  return [...first, ...sessions.filter(([name]) => name !== boot)].flatMap(([name, rows]) => {
    const row = rows.find(({ task, phase, worker }) => task === "" && phase === "" && worker === "");
    return row === undefined ? [] : [describeSession(tables, row, { rows, boots: name === boot })];
  });
}

function describeSession(
  tables: IndexedTables,
  row: Row,
  { rows, boots }: { readonly rows: readonly Row[]; readonly boots: boolean },
): SessionAuthority {
  const { session, kind, login, requiresTask } = row;
  const tasks = Map.groupBy(
    rows.filter(({ task }) => task !== ""),
    ({ task }) => task,
  );
  const workers = Map.groupBy(
    rows.filter(({ task, worker }) => task === "" && worker !== ""),
    ({ worker }) => worker,
  );
  return {
    name: session,
    kind,
    boots,
    principals: row.principals.map((at) => tables.principals[at]?.name ?? ""),
    login,
    backends: row.backends.map(({ backend, mode }) => ({ name: tables.backends[backend]?.name ?? "", mode })),
    quotas: row.quotas.map(({ rule }) => (tables.rules[rule]?.words ?? "").replace(/^quota /, "")),
    requiresTask,
    tools: groupTools(tables, [row]),
    within: [
      ...[...tasks].map(([name, of]) => ({ kind: "task" as const, name, tools: groupTools(tables, of) })),
      ...[...workers].map(([name, of]) => ({ kind: "worker" as const, name, tools: groupTools(tables, of) })),
    ],
  };
}

interface Gated extends Pick<GatedTool, "isConditional"> {
  readonly mode: PermissionMode;
}

/** Groups the tools that exist in some of the rows by the loosest gate that they have in these rows. */
function groupTools(tables: IndexedTables, rows: readonly Row[]): ToolsByGate {
  const gated = tables.tools.map((_, index) => findGate(tables, rows, index));
  const services = Map.groupBy(tables.tools.keys(), (index) => tables.tools[index]?.provider ?? "");
  const named = [...services.values()].flatMap((indexes) => nameTools(tables, indexes, gated));
  const select = (wanted: PermissionMode) =>
    named.flatMap(({ name, mode, isConditional }) => (mode === wanted ? [{ name, isConditional }] : []));
  return { auto: select("auto"), consent: select("consent"), stepUp: select("stepUp"), forbidden: select("forbidden") };
}

function findGate(tables: IndexedTables, rows: readonly Row[], tool: number): Gated | undefined {
  const found = rows.flatMap((row): readonly Gated[] => {
    const list = findList(tables, row, tool);
    if (list === undefined) return [];
    const mode = chooseAdvertisedMode(list, { label: row.starts, unattended: false });
    return [
      { mode, isConditional: list.floors.length > 0 || list.clauses.some(({ conditions }) => conditions.length > 0) },
    ];
  });
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const loosest = others.reduce((one, other) => (isStricter(one.mode, other.mode) ? other : one), first);
  const isSame = found.length === rows.length && found.every(({ mode }) => mode === first.mode);
  return { mode: loosest.mode, isConditional: !isSame || found.some(({ isConditional }) => isConditional) };
}

/**
 * Names the tools of one service: by one pattern if it has several tools and all have the same gate, otherwise each by
 * its name.
 */
function nameTools(
  tables: IndexedTables,
  indexes: readonly number[],
  gated: readonly (Gated | undefined)[],
): readonly (GatedTool & Gated)[] {
  const [first, ...others] = indexes.map((index) => gated[index]);
  const isOne = others.every((one) => one?.mode === first?.mode && one?.isConditional === first?.isConditional);
  const provider = tables.tools[indexes[0] ?? 0]?.provider ?? "";
  if (first !== undefined && others.length > 0 && isOne) return [{ name: `${provider}.*`, ...first }];
  return indexes.flatMap((index) => {
    const one = gated[index];
    return one === undefined ? [] : [{ name: tables.tools[index]?.name ?? "", ...one }];
  });
}

/** Gates, the loosest first. */
export const GATES: readonly PermissionMode[] = MODES;
