import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { enumeratePlaces, getModels } from "../../phases/policy/index.ts";
import { type Mutant, type Original, replaceRow } from "./mutant.ts";
import { listAdjacentModes } from "./variations.ts";

/**
 * Returns mutants of the gates before phases and backends. Each gate becomes one step looser, and one step stricter.
 */
export function createGateMutants(original: Original): readonly Mutant[] {
  return [...createPhaseGateMutants(original), ...createBackendGateMutants(original)];
}

/** Returns mutants of the gates of phases, except the first phase, because a test starts after that gate. */
function createPhaseGateMutants({ tables, model }: Original): readonly Mutant[] {
  const places = enumeratePlaces(model);
  return tables.rows.flatMap((row, index) => {
    const phase = places[index]?.phase;
    if (phase === undefined || row.phaseIndex === 0 || row.worker !== "") return [];
    const gates = listAdjacentModes(row.entry).filter((entry) => entry !== "forbidden");
    return gates.map((entry): Mutant => {
      const words = `phase ${phase.name}${phase.after === undefined ? "" : ` after ${phase.after}`}`;
      return {
        ...createMutant([index], { words, span: phase.node.name.span }, `${entry} instead of ${row.entry}`),
        tables: replaceRow(tables, index, { ...row, entry }),
      };
    });
  });
}

/**
 * Returns mutants of the gates of backends. A mutant changes all rows of a session, because a line of `models` applies
 * to all of them.
 */
function createBackendGateMutants({ tables, model }: Original): readonly Mutant[] {
  const sessions = new Map(enumeratePlaces(model).map(({ session }) => [session.id, session]));
  return [...sessions].flatMap(([id, session]) => {
    const rows = [...tables.rows.keys()].filter((index) => tables.rows[index]?.session === id);
    return getModels(session).flatMap(({ backend, mode, span }, choice) =>
      listAdjacentModes(mode).map((other): Mutant => {
        const replaceMode = (row: Row): Row => {
          const before = row.backends[choice] ?? bug(`no backend ${choice}`);
          return { ...row, backends: row.backends.with(choice, { ...before, mode: other }) };
        };
        return {
          ...createMutant(rows, { words: `${mode} ${backend.name}`, span }, `${other} instead of ${mode}`),
          tables: { ...tables, rows: tables.rows.map((row) => (row.session === id ? replaceMode(row) : row)) },
        };
      }),
    );
  });
}

function createMutant(rows: readonly number[], line: Mutant["line"], change: string): Omit<Mutant, "tables"> {
  return { kind: "gate", change, line, rows, tools: [], reach: "conversations" };
}
