import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { modelsOf, placesOf } from "../../phases/policy/index.ts";
import { type Mutant, type Original, withRow } from "./mutant.ts";
import { beside } from "./variations.ts";

/** The gates before phases and before backends, one looser and one stricter. */
export function mutantsOfGates(original: Original): readonly Mutant[] {
  return [...phaseGates(original), ...backendGates(original)];
}

/** Without that of a task's beginning: a test stands behind it, whoever began it. */
function phaseGates({ tables, model }: Original): readonly Mutant[] {
  const places = placesOf(model);
  return tables.rows.flatMap((row, index) => {
    const phase = places[index]?.phase;
    if (phase === undefined || row.phaseIndex === 0 || row.worker !== "") return [];
    const gates = beside(row.entry).filter((entry) => entry !== "forbidden");
    return gates.map((entry): Mutant => {
      const words = `phase ${phase.name}${phase.after === undefined ? "" : ` after ${phase.after}`}`;
      return {
        ...mutantOf([index], { words, span: phase.node.name.span }, `${entry} instead of ${row.entry}`),
        tables: withRow(tables, index, { ...row, entry }),
      };
    });
  });
}

/** A line of `models` holds in all rows of its session. */
function backendGates({ tables, model }: Original): readonly Mutant[] {
  const sessions = new Map(placesOf(model).map(({ session }) => [session.id, session]));
  return [...sessions].flatMap(([id, session]) => {
    const rows = [...tables.rows.keys()].filter((index) => tables.rows[index]?.session === id);
    return modelsOf(session).flatMap(({ backend, mode, span }, choice) =>
      beside(mode).map((other): Mutant => {
        const withOther = (row: Row): Row => {
          const before = row.backends[choice] ?? bug(`no backend ${choice}`);
          return { ...row, backends: row.backends.with(choice, { ...before, mode: other }) };
        };
        return {
          ...mutantOf(rows, { words: `${mode} ${backend.name}`, span }, `${other} instead of ${mode}`),
          tables: { ...tables, rows: tables.rows.map((row) => (row.session === id ? withOther(row) : row)) },
        };
      }),
    );
  });
}

function mutantOf(rows: readonly number[], line: Mutant["line"], change: string): Omit<Mutant, "tables"> {
  return { kind: "gate", change, line, rows, tools: [], reach: "conversations" };
}
