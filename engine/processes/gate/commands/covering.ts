// Returns the rules of the page that cover a tool or a row: those that demand the current mode, and those that could
// demand another.
import {
  type AdvertisedTool,
  FIRST_DECISION,
  type IndexedTables,
  isMet,
  listLines,
} from "../../../lib/policy/index.ts";
import type { Decision, Floor } from "../../../lib/wire/generated/policy.ts";
import type { Gate } from "../gate.ts";
import { describeRule } from "../sentences.ts";
import type { Lines } from "./parts.ts";

/**
 * Returns the rules that demand the advertised mode, then the other rules that cover the tool. The line of a floor
 * states whether the floor applies now.
 */
export function renderCoveringRules(gate: Gate, { tool, mode }: AdvertisedTool): Lines {
  const { tables } = gate.parts;
  const { clauses, floors } = listOf(tables, gate.conversation.row, tables.toolIndex.get(tool.name) ?? -1);
  const asks = [
    ...clauses.map(({ rule, met, otherwise }) => {
      return { rule, isDeciding: met === mode || otherwise === mode, words: describeRule(tables, rule) };
    }),
    ...floors.map((floor) => {
      const holds = isMetNow(gate, floor);
      const which =
        floor.conditions.length > 0 && holds
          ? "holds now for some arguments"
          : `${holds ? "holds" : "does not hold"} now`;
      const words = `${describeRule(tables, floor.rule)}, which ${which}`;
      return { rule: floor.rule, isDeciding: holds && floor.mode === mode, words };
    }),
  ];
  const others = asks.filter(({ isDeciding }) => !isDeciding);
  return [
    `mode ${mode}, by:`,
    ...asks.filter(({ isDeciding }) => isDeciding).map(({ words }) => `  ${words}`),
    ...(others.length === 0 ? [] : ["also covered by:", ...others.map(({ words }) => `  ${words}`)]),
  ];
}

function isMetNow({ conversation }: Gate, floor: Floor): boolean {
  return isMet(floor, conversation);
}

/** Returns indexes of all rules that concern a row, in the order of the page. */
export function collectRules(tables: IndexedTables, index: number): readonly number[] {
  const row = tables.rows[index];
  if (row === undefined) return [];
  const decisions = row.cells.map((_, tool) => listOf(tables, index, tool));
  const backends = row.backends.flatMap(({ backend }) => tables.backends[backend]?.quotas ?? []);
  const ruled = [
    ...decisions.flatMap(listLines),
    ...row.quotas,
    ...backends,
    ...row.releases.flatMap((release) => tables.releases[release] ?? []),
  ].map(({ rule }) => rule);
  const entry = row.entry === "auto" ? [] : [row.entryRule];
  const login = row.login === "none" ? [] : [row.loginRule];
  const required = row.requiresTask ? [row.taskRule] : [];
  return [...new Set([...ruled, ...entry, ...login, ...required])].sort((a, b) => a - b);
}

const EMPTY: Decision = { clauses: [], floors: [] };

function listOf(tables: IndexedTables, row: number, tool: number): Decision {
  return tables.decisions[(tables.rows[row]?.cells[tool] ?? 0) - FIRST_DECISION] ?? EMPTY;
}
