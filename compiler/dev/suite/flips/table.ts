// Renders the results of the changes as the table in THREATS.md, with one row for each structure.

import { basename } from "node:path";
import { type Cover, findCover, findFault } from "./coverage.ts";
import type { Flip } from "./flips.ts";

interface Asked {
  readonly flip: Flip;
  readonly answer: string;
}

export interface Row {
  readonly structure: string;
  readonly cover: Cover | undefined;
  /** Number of refused changes. `same` counts the changes without an effect on the data that init uses. */
  readonly refused: number;
  readonly same: number;
  /**
   * Responses of init that contradict the claim about the structure, such as `same` if init must refuse every change.
   */
  readonly wrong: readonly string[];
}

/** Returns the rows in the order of the image; structures with the same name share a row. */
export function createRows(asked: readonly Asked[]): readonly Row[] {
  const names = [...new Set(asked.map(({ flip }) => flip.structure.name))];
  return names.map((structure) =>
    createRow(
      structure,
      asked.filter(({ flip }) => flip.structure.name === structure),
    ),
  );
}

function createRow(structure: string, asked: readonly Asked[]): Row {
  const cover = findCover(structure);
  const answers = asked.map(({ answer }) => answer);
  const wrong = asked.flatMap(({ flip, answer }) => {
    const found = cover === undefined ? "nothing is claimed of it" : findFault(structure, cover, answer);
    return found === undefined ? [] : [`at ${flip.offset - flip.structure.offset}: ${found}`];
  });
  return {
    structure,
    cover,
    refused: answers.filter((answer) => answer.startsWith("refused: ")).length,
    same: answers.filter((answer) => answer === "same").length,
    wrong,
  };
}

const HEADER = "| structure of the image | result of a changed bit | check that finds it |\n|---|---|---|\n";

/** Returns the table as Markdown. It contains no numbers of changes: they depend on the sizes of the structures. */
export function renderTable(rows: readonly Row[]): string {
  return (
    HEADER + rows.map((row) => `| ${row.structure} | ${describeOutcome(row)} | ${row.cover?.why ?? ""} |\n`).join("")
  );
}

function describeOutcome({ refused, same, structure, cover }: Row): string {
  if (cover?.claim === "named") return `init refuses the image and names ${nameIn(structure)}`;
  if (refused === 0) return "init accepts the image: it does not read this part";
  return same === 0 ? "init refuses the image" : "init refuses the image, or the change has no effect";
}

/** Returns the name of the file that contains the structure, without its folder. */
const nameIn = (structure: string): string => basename(structure.split(": ")[0] ?? structure);
