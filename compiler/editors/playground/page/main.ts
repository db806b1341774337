// Connects the parts of the page: typed text goes to the compiler, and its results are drawn.

import type { CellQuestion, CheckResponse, Draft, FileBeside, Reply, Request } from "../protocol.ts";
import { startCompiler } from "./compiler.ts";
import { openEditor } from "./editor.ts";
import { element } from "./elements.ts";
import { countOf, listFindings } from "./findings.ts";
import { openFolder } from "./folder.ts";
import { type AskedCell, drawMatrix, walkWithArrows } from "./matrix.ts";

const status = element("status", HTMLElement);
const list = element("findings", HTMLElement);
const table = element("matrix", HTMLTableElement);
const stale = element("stale", HTMLElement);
const answer = element("answer", HTMLElement);
const line = element("line", HTMLButtonElement);
const form = element("question", HTMLFormElement);
const given = element("arguments", HTMLInputElement);
const seen = element("label", HTMLInputElement);
const alone = element("unattended", HTMLInputElement);
const folder = element("folder", HTMLInputElement);

/** Maximum number of omitted files that the status names. */
const MOST_NAMED = 5;

let beside: readonly FileBeside[] = [];
let asked: AskedCell | undefined;

const compiler = startCompiler(element("compiler", HTMLElement).textContent ?? "", drawReply);
const editor = openEditor(
  element("editor", HTMLElement),
  element("first", HTMLElement).textContent ?? "",
  look,
  format,
);

function draft(): Draft {
  return { text: editor.text(), beside, today: new Date().toISOString().slice(0, 10) };
}

function look(): void {
  compiler.ask({ kind: "look", draft: draft() });
}

function format(): void {
  compiler.ask({ kind: "format", text: editor.text() });
}

function askWhy(): void {
  if (asked === undefined) return;
  const question: CellQuestion = {
    ...asked,
    unattended: alone.checked,
    ...(given.value.trim() === "" ? {} : { arguments: given.value }),
    ...(seen.value.trim() === "" ? {} : { label: seen.value.trim() }),
  };
  compiler.ask({ kind: "why", draft: draft(), question });
}

/** Returns whether the text has changed since the request. A newer request is already under way, so the old response is useless. */
const isOvertaken = (request: Request): boolean =>
  (request.kind === "format" ? request.text : request.draft.text) !== editor.text();

function drawReply(reply: Reply | { readonly kind: "late" }, request: Request): void {
  if (isOvertaken(request)) return;
  switch (reply.kind) {
    case "looked":
      drawLooked(reply);
      return;
    case "explained":
      answer.textContent = reply.lines.join("\n");
      showLine(reply.rule);
      return;
    case "formatted":
      if (reply.text === undefined) status.textContent = "a page with a syntax error has no form yet";
      else if (reply.text !== editor.text()) editor.replace(reply.text);
      return;
    case "leftOut":
      lose(`this page needs what is left out here (${reply.what}): \`capc check\` does it`);
      return;
    case "late":
      lose("the compiler did not come back and was begun anew; please report the page as a defect of capc");
      return;
  }
}

/** Clears all results, because nothing is known about the present text. */
function lose(reason: string): void {
  drawLooked({ findings: [], matrix: undefined, unlooked: [] });
  status.textContent = reason;
}

function drawLooked({ findings, matrix, unlooked }: Omit<CheckResponse, "kind">): void {
  status.textContent = [countOf(findings), ...unlooked.map((path) => `not looked into: ${path}`)].join("; ");
  editor.mark(findings);
  listFindings(list, findings, editor);
  stale.hidden = matrix !== undefined;
  stale.textContent =
    table.rows.length === 0 ? "There is nothing to show of this page." : "As it was before the errors.";
  for (const each of [table, answer]) each.classList.toggle("old", matrix === undefined);
  // The page has changed since, so the places of its lines are unknown.
  if (matrix === undefined) showLine(undefined);
  if (matrix === undefined) return;
  const focused = table.contains(document.activeElement)
    ? document.activeElement?.getAttribute("aria-label")
    : undefined;
  drawMatrix(table, matrix, (cell) => {
    asked = cell;
    form.hidden = false;
    askWhy();
  });
  if (focused) focusAgain(focused);
  askWhy();
}

/** Restores the focus of a cell after the page was compiled again. */
function focusAgain(label: string): void {
  const about = label.replace(/:[^:]*$/, ":");
  const buttons = [...table.querySelectorAll("button")];
  buttons.find((button) => button.getAttribute("aria-label")?.startsWith(about))?.focus();
}

function showLine(rule: { readonly from: number; readonly to: number } | undefined): void {
  line.hidden = rule === undefined;
  line.onclick = rule === undefined ? null : () => editor.show(rule);
}

element("format", HTMLButtonElement).addEventListener("click", format);
element("open", HTMLButtonElement).addEventListener("click", () => folder.click());
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", askWhy);
folder.addEventListener("change", async () => {
  const opened = await openFolder([...(folder.files ?? [])]);
  beside = opened.beside;
  // The table belongs to another page.
  table.replaceChildren();
  if (opened.page !== undefined) editor.replace(opened.page);
  look();
  const more = opened.left.length - MOST_NAMED;
  const named = `${opened.left.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const left = opened.left.length === 0 ? "" : `; left out, too large or too many: ${named}`;
  element("beside", HTMLElement).textContent = `${beside.length} files beside the page${left}`;
});
walkWithArrows(table);
look();
