// Only one cell of the matrix is in the Tab order; arrow keys, Home, End and the page keys move to the others.

const grid = document.getElementById("grid");
const PAGE = 12;

const lines = () => [...grid.querySelectorAll("tbody:not(.off) tr[data-t]:not(.off)")];
const links = (line) => [...line.querySelectorAll("td:not(.off) a")];

for (const link of grid.querySelectorAll("td a")) link.tabIndex = -1;
const first = grid.querySelector("td a");
if (first !== null) first.tabIndex = 0;

/** The filter may hide the cell that is in the Tab order, so the first visible cell replaces it there. */
document.getElementById("filter").addEventListener("input", () => {
  const shown = lines()
    .map((line) => links(line)[0])
    .find((link) => link !== undefined);
  if (shown !== undefined) markStop(shown);
});

function markStop(link) {
  for (const old of grid.querySelectorAll('td a[tabindex="0"]')) old.tabIndex = -1;
  link.tabIndex = 0;
}

const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-PAGE, 0],
  PageDown: [PAGE, 0],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

const within = (at, length) => Math.min(Math.max(at, 0), length - 1);

grid.addEventListener("keydown", (event) => {
  const link = event.target.closest("td a");
  const step = STEPS[event.key];
  if (link === null || step === undefined || event.altKey || event.metaKey) return;
  event.preventDefault();
  const all = lines();
  const line = link.closest("tr");
  const far = event.ctrlKey && step[0] === 0 ? step[1] : step[0];
  const to = all[within(all.indexOf(line) + far, all.length)];
  const at = links(line).indexOf(link);
  const cells = links(to);
  const next = cells[within(at + step[1], cells.length)];
  markStop(next);
  next.focus();
});
