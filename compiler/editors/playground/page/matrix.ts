// Draws the matrix of tools and places. Each cell shows the mode of a call of the tool in the place. For the keyboard it is a grid: arrows
// move between cells, Enter asks for the explanation.

import type { Cell, CellQuestion, Matrix } from "../protocol.ts";
import { made } from "./elements.ts";

export type AskedCell = Pick<CellQuestion, "session" | "task" | "phase" | "tool">;

const WORDS: Readonly<Record<Cell["mode"], string>> = {
  auto: "auto",
  consent: "consent",
  stepUp: "stepUp",
  forbidden: "forbidden",
  none: "no line",
  hidden: "hidden",
};

export function drawMatrix(
  table: HTMLTableElement,
  { places, rows, left }: Matrix,
  ask: (cell: AskedCell) => void,
): void {
  const head = made("tr", "");
  head.append(made("th", "tool", { scope: "col" }), ...places.map(({ name }) => made("th", name, { scope: "col" })));
  const lines = rows.map(({ tool, cells }) => {
    const line = made("tr", "");
    line.append(made("th", tool, { scope: "row" }));
    for (const [index, cell] of cells.entries()) {
      const asked = places[index]?.asked;
      line.append(cellOf(cell, asked && (() => ask({ ...asked, tool })), `${tool} in ${places[index]?.name ?? ""}`));
    }
    return line;
  });
  const body = made("tbody", "");
  body.append(...lines);
  const top = made("thead", "");
  top.append(head);
  table.replaceChildren(...captionOf(left), top, body);
  const [first] = table.querySelectorAll<HTMLElement>("td button");
  if (first !== undefined) first.tabIndex = 0;
}

function captionOf({ places, tools }: Matrix["left"]): readonly HTMLElement[] {
  const beyond = [places > 0 ? `${places} places` : "", tools > 0 ? `${tools} tools` : ""].filter(
    (each) => each !== "",
  );
  return beyond.length === 0 ? [] : [made("caption", `and ${beyond.join(" and ")} more, which capc report shows`)];
}

function cellOf({ mode, strictest }: Cell, ask: (() => void) | undefined, about: string): HTMLElement {
  const words = strictest === undefined ? WORDS[mode] : `${WORDS[mode]} … ${strictest}`;
  const cell = made("td", "", { class: mode });
  if (ask === undefined) {
    cell.textContent = words;
    return cell;
  }
  const button = made("button", words, { type: "button", tabindex: "-1", "aria-label": `${about}: ${words}` });
  button.addEventListener("click", ask);
  cell.append(button);
  return cell;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/**
 * Lets the arrow keys move between the cells of the table; the Tab key reaches only the cell that had the focus last.
 */
export function walkWithArrows(table: HTMLTableElement): void {
  table.addEventListener("keydown", (event) => {
    const [down, right] = STEPS[event.key] ?? [0, 0];
    const at = event.target instanceof HTMLElement ? event.target.closest("td") : null;
    const row = at?.parentElement;
    if (at === null || !(row instanceof HTMLTableRowElement) || (down === 0 && right === 0)) return;
    const next = table.rows[row.rowIndex + down]?.cells[at.cellIndex + right]?.querySelector("button");
    event.preventDefault();
    next?.focus();
  });
  table.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    for (const button of table.querySelectorAll("button")) button.tabIndex = button === target ? 0 : -1;
  });
}
