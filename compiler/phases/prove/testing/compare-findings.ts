// Compares two sets of findings that do not depend on assertions: the prover's, and those of the naive evaluator.
import type { PolicyTables } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Policy } from "../../policy/index.ts";
import type { PromptDemand, Proofs } from "../index.ts";
import { modesOf, runsOf } from "./calls.ts";
import { mayUse } from "./claims.ts";
import type { Reached } from "./reach.ts";
import type { System } from "./system.ts";

/**
 * Describes where the prover and the naive evaluator differ. Compared are used backends, rows without an allowed
 * backend, permissions that no call can use, and the prompt demand.
 */
export function otherFindings(
  system: System,
  { tables }: Policy,
  { reach: found, dead, prompts }: Proofs,
  reached: Reached,
): string[] {
  const states = [...reached.states.values()];
  const used = new Set(states.flatMap((state) => mayUse(system, state)));
  const left = states.filter(({ row }) => tables.rows[row]?.backends.length !== 0);
  const unanswered = new Set(left.filter((state) => mayUse(system, state).length === 0).map(({ row }) => row));
  const shown = found.unanswered.map(({ row }) => row);
  return [
    ...differing("backends", [...found.backends], [...used]),
    // The prover reports a row in which no backend may answer only if it can replay a conversation that reaches the
    // row. A quota, or a worker with more rights than its parent, may prevent the replay.
    ...differing(
      "unanswered",
      [...shown, ...[...unanswered].filter((row) => mayBeInTheWay(tables, row))],
      [...unanswered],
    ),
    ...differing(
      "dead",
      // If no arguments are valid, no call can be tried.
      dead.filter(({ row, tool }) => mayRun(system, row, tool)).map(({ row, tool }) => cellName(row, tool)),
      deadCells(system, reached),
    ),
    ...prompts.flatMap((demand) => wrongDemand(system, reached, demand)),
  ];
}

/**
 * Checks the prompt demand of rows without quotas, and returns its faults. If some call prompts, the demand must be
 * unbounded; otherwise it must be the number of phases that begin behind a gate.
 */
function wrongDemand(system: System, { states }: Reached, { session, task, wanted }: PromptDemand): string[] {
  const { rows, tools } = system.tables;
  const there = [...rows.entries()].filter(([, row]) => row.session === session && row.task === task);
  if (there.some(([, { quotas }]) => quotas.length > 0)) return [];
  const asks = [...states.values()].some(({ row, label }) => {
    const here = there.some(([index]) => index === row);
    return (
      here && [...tools.keys()].some((tool) => runsOf(system, row, tool, label).some(({ gate }) => gate !== "auto"))
    );
  });
  const gates = there.filter(([, { entry, worker }]) => worker === "" && entry !== "auto").length;
  const expected = asks ? "unbounded" : String(gates);
  const said = wanted.kind === "unbounded" ? "unbounded" : String(wanted.questions);
  return said === expected ? [] : [`${session} ${task} asks people ${said} times, and may ask ${expected}`];
}

function mayBeInTheWay({ rows }: PolicyTables, row: number): boolean {
  const beside = rows.filter(({ session }) => session === rows[row]?.session);
  return beside.some(({ quotas, worker }) => quotas.length > 0 || worker !== "");
}

/** Returns the cells whose lines allow the tool for some arguments although it runs in no state of the row. */
function deadCells(system: System, { states }: Reached): string[] {
  const { rows, tools } = system.tables;
  return [...rows.keys()].flatMap((row) => {
    const there = [...states.values()].filter((state) => state.row === row);
    const dead = [...tools.keys()].filter(
      (tool) => mayRun(system, row, tool) && there.every(({ label }) => runsOf(system, row, tool, label).length === 0),
    );
    return dead.map((tool) => cellName(row, tool));
  });
}

/** Returns whether the lines alone let the tool run for some arguments. */
function mayRun(system: System, row: number, tool: number): boolean {
  const { tables } = system;
  const list = tables.decisions[(tables.rows[row]?.cells[tool] ?? 0) - 2];
  return list !== undefined && modesOf(system, tool, list).some((mode) => mode !== "forbidden");
}

function cellName(row: number, tool: number): string {
  return `${row}/${tool}`;
}

function differing(what: string, found: readonly unknown[], expected: readonly unknown[]): string[] {
  const [left, right] = [found, expected].map((list) => [...new Set(list)].map(String).sort().join(" "));
  return left === right ? [] : [`${what}: found ${left}, and reached ${right}`];
}
