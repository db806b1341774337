// Connects the parts of the page: typed text goes to the compiler, and its results are drawn.

import { createFile, describeNewFile, isProjectPath } from "../files.ts";
import type { CellQuestion, CheckResponse, Draft, Finding, Range, Reply, Request } from "../protocol.ts";
import { LOCK, ROOT } from "../protocol.ts";
import { decodeProject, encodeProject } from "../share.ts";
import { startCompiler } from "./compiler.ts";
import { createCompletion } from "./completion.ts";
import { openEditor } from "./editor.ts";
import { element } from "./elements.ts";
import { countOf, listFindings } from "./findings.ts";
import { openFolder } from "./folder.ts";
import { type AskedCell, drawMatrix, walkWithArrows } from "./matrix.ts";
import { Project } from "./project.ts";
import { drawTabs, walkTabs } from "./tabs.ts";

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
const notice = element("notice", HTMLElement);
const strip = element("files", HTMLElement);
const naming = element("naming", HTMLFormElement);
const newName = element("name", HTMLInputElement);
const remove = element("remove", HTMLButtonElement);
const sharing = element("sharing", HTMLElement);
const link = element("link", HTMLInputElement);

/** Maximum number of omitted files that the notice names. */
const MOST_NAMED = 5;
const CHECKING = "The page has changed: checking it…";
const NOTHING = "The page has errors, so nothing is decided.";

const first = element("first", HTMLElement).textContent ?? "";
const project = new Project();
let revision = 0;
let asked: AskedCell | undefined;
let findings: readonly Finding[] = [];
/** Fragment (project link) that this page wrote or read last. */
let fragment = "";

type Answered = Reply | { readonly kind: "late" };
/** Requests that wait for a reply: at most the newest one of each kind. */
const waiting = new Map<Request["kind"], { readonly request: Request; readonly settle: (reply?: Answered) => void }>();

const compiler = startCompiler(element("compiler", HTMLElement).textContent ?? "", drawReply);
const editor = openEditor(element("editor", HTMLElement), ROOT, first, {
  onChange: () => {
    project.write(editor.file(), editor.text());
    look();
  },
  onFormat: format,
  complete: createCompletion(async (offset) => {
    const reply = await ask({ kind: "complete", file: editor.file(), text: editor.text(), offset });
    return reply?.kind === "completed" ? reply : undefined;
  }),
  askHover: async (offset) => {
    const reply = await ask({ kind: "hover", draft: draft(), file: editor.file(), offset });
    return reply?.kind === "hovered" ? reply.hover : undefined;
  },
});

function draft(): Draft {
  const { rootText: text, beside } = project;
  return { revision, text, beside, today: new Date().toISOString().slice(0, 10) };
}

/**
 * Sends a request to the compiler. Resolves to `undefined` if a newer request of the same kind replaces it, or if the
 * project changes.
 */
function ask(request: Request): Promise<Answered | undefined> {
  waiting.get(request.kind)?.settle();
  return new Promise((settle) => {
    waiting.set(request.kind, { request, settle });
    compiler.ask(request);
  });
}

/**
 * Compiles the project after a change. Until the result arrives, results of the previous text are marked and cannot be
 * used.
 */
function look(): void {
  revision += 1;
  for (const { settle } of waiting.values()) settle();
  waiting.clear();
  setState("checking");
  status.textContent = "checking…";
  if (table.rows.length > 0) showReason(CHECKING);
  sharing.hidden = true;
  compiler.ask({ kind: "look", draft: draft() });
}

/** Marks results while the text is being checked: they are grey, and cannot be used. */
function setState(state: "checking" | "checked"): void {
  const isBusy = state === "checking";
  for (const each of [list, table, answer]) {
    each.classList.toggle("old", isBusy);
    each.inert = isBusy;
    each.setAttribute("aria-busy", String(isBusy));
  }
  line.disabled = isBusy;
}

function showReason(reason: string | undefined): void {
  stale.hidden = reason === undefined;
  stale.textContent = reason ?? "";
}

function format(): void {
  const file = editor.file();
  if (file.endsWith(".cap")) compiler.ask({ kind: "format", file, text: editor.text() });
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

/**
 * Returns whether the response to a request is useless, because the project has changed since. For formatting and
 * completion, only the shown file and its text count.
 */
function isOvertaken(request: Request): boolean {
  if (request.kind === "format" || request.kind === "complete")
    return request.file !== editor.file() || request.text !== editor.text();
  return request.draft.revision !== revision;
}

function drawReply(reply: Answered, request: Request): void {
  const waiter = waiting.get(request.kind);
  if (waiter?.request === request) {
    waiting.delete(request.kind);
    waiter.settle(reply);
    if (reply.kind !== "late") return;
  }
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
      if (reply.text === undefined) notice.textContent = "a page with a syntax error has no form yet";
      else if (reply.text !== editor.text()) editor.replace(reply.text);
      return;
    case "leftOut":
      if (request.kind === "look")
        lose(`this page needs what is left out here (${reply.what}): \`capc check\` does it`);
      return;
    case "late":
      lose("the compiler did not come back and was begun anew; please report the page as a defect of capc");
      return;
  }
}

/** Clears all results, because they do not belong to the present text. */
function lose(reason: string): void {
  drawLooked({ findings: [], matrix: undefined, named: [], unlooked: [] });
  status.textContent = reason;
  showReason("Nothing is known about this page.");
}

function drawLooked(looked: Omit<CheckResponse, "kind">): void {
  const { matrix, unlooked } = looked;
  findings = looked.findings;
  setState("checked");
  status.textContent = [countOf(findings), ...unlooked.map((path) => `not looked into: ${path}`)].join("; ");
  editor.mark(findings);
  listFindings(list, findings, { show, change: applyFix, make, pin });
  project.setNamed(looked.named);
  drawFiles();
  showReason(matrix === undefined ? NOTHING : undefined);
  if (matrix === undefined) {
    table.replaceChildren();
    answer.textContent = "Nothing is decided while the page has errors.";
    showLine(undefined);
    return;
  }
  const focused = table.contains(document.activeElement)
    ? document.activeElement?.getAttribute("aria-label")
    : undefined;
  drawMatrix(table, matrix, (cell) => {
    asked = cell;
    form.hidden = false;
    askWhy();
  });
  if (focused) focusAgain(focused);
  if (asked === undefined) answer.textContent = "Choose a cell.";
  askWhy();
}

/** Moves the focus back to the same cell after the page was compiled again. */
function focusAgain(label: string): void {
  const about = label.replace(/:[^:]*$/, ":");
  const buttons = [...table.querySelectorAll("button")];
  buttons.find((button) => button.getAttribute("aria-label")?.startsWith(about))?.focus();
}

function showLine(rule: Range | undefined): void {
  line.hidden = rule === undefined;
  line.onclick = rule === undefined ? null : () => show(rule);
}

function show(range: Range): void {
  openFile(range.file);
  editor.show(range);
}

function applyFix(range: Range, insert: string): void {
  openFile(range.file);
  editor.change(range, insert);
  const end = range.from + insert.length;
  editor.show({ ...range, from: end, to: end });
}

function openFile(file: string): void {
  const text = project.textOf(file);
  if (text === undefined) return;
  editor.open(file, text);
  editor.mark(findings);
  drawFiles();
}

function drawFiles(): void {
  const shown = editor.file();
  const files = project.texts;
  drawTabs(strip, files.includes(shown) ? files : [...files, shown], shown, openFile);
  remove.hidden = shown === ROOT;
}

/** Makes a file that the page names, shows it, and compiles the project again. */
async function make(path: string): Promise<void> {
  let text: string;
  try {
    text = await createFile(path);
  } catch {
    notice.textContent = `${path} was not made: this browser makes no keys of this kind`;
    return;
  }
  project.write(path, text);
  notice.textContent = `made ${path}${describeNewFile(path)}`;
  openFile(path);
  editor.show({ file: path, from: 0, to: 0 });
  look();
}

async function pin(): Promise<void> {
  const reply = await ask({ kind: "pin", draft: draft() });
  if (reply?.kind !== "pinned" || reply.text === undefined) return;
  notice.textContent = `${LOCK} pins ${reply.changes.slice(0, MOST_NAMED).join("; ")}`;
  // If cap.lock is the shown file, its text is replaced in the editor: otherwise the next key would write the old text back.
  if (editor.file() === LOCK) return editor.replace(reply.text);
  project.write(LOCK, reply.text);
  editor.forget(LOCK);
  look();
}

function begin(note: string): void {
  asked = undefined;
  form.hidden = true;
  findings = [];
  table.replaceChildren();
  answer.textContent = "";
  showLine(undefined);
  editor.begin(ROOT, project.rootText);
  notice.textContent = note;
  drawFiles();
  look();
}

/**
 * Opens the project that the fragment of the page's address contains. If the project is broken, reports this and shows
 * the first page instead.
 */
function openFragment(): void {
  fragment = location.hash.slice(1);
  const shared = fragment === "" ? undefined : decodeProject(fragment);
  if (shared?.ok) {
    project.beginTexts(shared.value);
    begin(`${shared.value.size === 1 ? "1 file" : `${shared.value.size} files`} from the link`);
    return;
  }
  project.begin(first, []);
  begin(
    shared === undefined ? "" : `the link has no project that can be read, so this is the first page: ${shared.reason}`,
  );
}

async function share(): Promise<void> {
  const written = encodeProject(project.collectTexts());
  if (!written.ok) {
    notice.textContent = `this project cannot be shared by a link: ${written.reason}`;
    return;
  }
  fragment = written.value;
  location.hash = fragment;
  link.value = location.href;
  sharing.hidden = false;
  link.focus();
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    notice.textContent = "the link is copied; it holds the texts of all tabs";
  } catch {
    notice.textContent = "copy the link; it holds the texts of all tabs";
  }
}

element("format", HTMLButtonElement).addEventListener("click", format);
element("open", HTMLButtonElement).addEventListener("click", () => folder.click());
element("share", HTMLButtonElement).addEventListener("click", share);
element("new", HTMLButtonElement).addEventListener("click", () => {
  naming.hidden = !naming.hidden;
  if (!naming.hidden) newName.focus();
});
naming.addEventListener("submit", (event) => {
  event.preventDefault();
  const path = newName.value.trim();
  if (!isProjectPath(path) || project.has(path)) {
    notice.textContent = project.has(path)
      ? `there is a file ${path} already`
      : "a file has a path in the folder of the page, such as keys/alice.pub";
    return;
  }
  naming.hidden = true;
  newName.value = "";
  make(path);
});
naming.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  naming.hidden = true;
  element("new", HTMLButtonElement).focus();
});
remove.addEventListener("click", () => {
  const file = editor.file();
  if (file === ROOT || !confirm(`Remove ${file} from this project?`)) return;
  openFile(ROOT);
  editor.forget(file);
  project.remove(file);
  notice.textContent = `removed ${file}`;
  drawFiles();
  look();
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", askWhy);
folder.addEventListener("change", async () => {
  const opened = await openFolder([...(folder.files ?? [])]);
  project.begin(opened.page ?? project.rootText, opened.beside);
  const more = opened.left.length - MOST_NAMED;
  const named = `${opened.left.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const left = opened.left.length === 0 ? "" : `; left out, too large or too many: ${named}`;
  begin(`${opened.beside.length} files beside the page${left}`);
});
addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== fragment) openFragment();
});
walkWithArrows(table);
walkTabs(strip);
openFragment();
