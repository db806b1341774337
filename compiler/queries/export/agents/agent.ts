// Exports one place of a page to an agent such as Claude Code: gives every tool of the page an answer, and collects the
// losses. The module of the agent renders the files.

import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../../lang/diagnostics/index.ts";
import { collectUnkeptBounds } from "../bounds.ts";
import { collectRowCells, type ExportedCell, placeName } from "../cells.ts";
import { createLoss, type Loss, sortLosses } from "../loss.ts";
import type { ExportResult } from "../target.ts";
import { type AgentAnswer, settleAnswers } from "./settled.ts";

export interface AgentTool {
  readonly tool: Tool;
  readonly answer: AgentAnswer;
}

export interface Agent {
  /** Returns whether the rules of the agent can name exactly this tool. */
  readonly isSayable: (tool: Tool) => boolean;
  /** Returns the files with the rules. `title` states in one line to whom the rules apply. */
  readonly files: (title: string, tools: readonly AgentTool[]) => ExportResult["files"];
  /** Losses that only an export for this agent has. */
  readonly losses: readonly Loss[];
}

/**
 * Returns the export for one agent and one `place` of the tables. The export names every tool of the tables. It denies
 * tools that no line covers in `place`.
 */
export function exportTo(agent: Agent, tables: IndexedTables, place: string): ExportResult {
  const row = findRow(tables, place) ?? bug(`the tables have no place ${place}`);
  const { answers, losses } = settleAnswers(collectRowCells(tables, row), ({ tool }: ExportedCell) =>
    agent.isSayable(tool),
  );
  const tools = tables.tools.map((tool) => ({ tool, answer: answers.get(tool) ?? "deny" }));
  const title = `${place} of ${tables.systemId} ${tables.version}, by capc export`;
  const lost = [
    ...losses,
    ...collectPlaceLosses(tables, place),
    ...agent.losses,
    ...SERVERS,
    ...collectUnkeptBounds(tables, [row]),
  ];
  return { files: agent.files(title, tools), losses: sortLosses(lost) };
}

function findRow({ rows }: IndexedTables, place: string): Row | undefined {
  return rows.find((row) => placeName(row) === place);
}

function collectPlaceLosses({ rows }: IndexedTables, place: string): readonly Loss[] {
  const others = rows.map(placeName).filter((name) => name !== place);
  const at = others.map((name) => ({ place: name, tools: [] }));
  return others.length === 0
    ? []
    : [createLoss("place-left-out", `The export is of ${place} alone: other places are not in it.`, at)];
}

const SERVERS = [
  createLoss(
    "servers-not-named",
    "A page does not say how an MCP server is reached: each service has to be put behind one of its name, with these tools.",
  ),
];
