// Selects the tools and places of the matrix that are shown.

const form = document.getElementById("filter");
const [search, gate, category, column, changed] = ["search", "gate", "category", "column", "changed"].map((id) =>
  document.getElementById(id),
);
const grid = document.getElementById("grid");
const found = document.getElementById("found");
const nothing = document.getElementById("nothing");

/** A line of the matrix with all searchable text, including that of the tool's line in the table of tools. */
const rows = [...grid.querySelectorAll("tr[data-t]")].map((row) => {
  const told = document.getElementById(`t-${row.dataset.t}`)?.textContent ?? "";
  const [head, ...cells] = row.cells;
  const [kind] = (head.querySelector("small")?.textContent ?? "").split(",");
  return { row, cells, kind, words: `${head.textContent} ${told}`.toLowerCase() };
});

function fits({ cells, kind, words }) {
  const wanted = search.value.toLowerCase().split(/\s+/);
  const seen = column.value === "" ? cells : [cells[Number(column.value)]];
  return (
    wanted.every((word) => words.includes(word)) &&
    (category.value === "" || kind === category.value) &&
    (gate.value === "" || seen.some((cell) => decidedBy(cell, gate.value))) &&
    (changed?.checked !== true || seen.some((cell) => cell.querySelector("i") !== null))
  );
}

/** Whether the cell names one of these gates; it names several if arguments decide. */
function decidedBy(cell, mode) {
  const link = cell.querySelector("a");
  return mode === "none" ? link.hash.startsWith("#none-") : link.textContent.split(/[^A-Za-z]+/).includes(mode);
}

function apply() {
  let count = 0;
  for (const line of rows) {
    const fit = fits(line);
    count += fit ? 1 : 0;
    line.row.classList.toggle("off", !fit);
    for (const [index, cell] of line.cells.entries())
      cell.classList.toggle("off", column.value !== "" && String(index) !== column.value);
  }
  for (const [index, head] of [...grid.tHead.rows[0].cells].entries())
    head.classList.toggle("off", column.value !== "" && index > 0 && String(index - 1) !== column.value);
  for (const body of grid.tBodies) body.classList.toggle("off", body.querySelector("tr[data-t]:not(.off)") === null);
  nothing.hidden = count > 0;
  found.textContent = count === rows.length ? `${count} tools` : `${count} of ${rows.length} tools`;
}

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
