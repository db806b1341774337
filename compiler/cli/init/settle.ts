// Completes a page that was made by a program, until `capc lint` has no finding about it. It writes descriptions and a quota. It silences
// warnings about an imported list, each with a reason.

import { bug, type Diagnostic } from "../../../lang/diagnostics/index.ts";
import { formatFile } from "../../../lang/format/index.ts";
import { parse } from "../../../lang/grammar/index.ts";
import { createSourceText, getText } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { updateLock } from "../../phases/reflect/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";

export const PAGE = "/system.cap";

/** A page with the files that it names. */
interface PageFiles {
  readonly page: string;
  /** Text of cap.lock; absent if the page imports nothing. */
  readonly lock: string | undefined;
  /** Findings that no remedy has removed. */
  readonly left: readonly Diagnostic[];
}

/** For each code, a function that returns the line to write for a finding; its argument is the text at which the finding points. */
export type Remedies = Readonly<Record<string, (named: string) => string>>;

/** Reasons with which the page silences warnings about an imported list. */
export const LIST_REMEDIES: Remedies = {
  "limit-unchecked": silence("limit-unchecked", "the server checks these limits itself"),
  "tool-left-out": silence("tool-left-out", "a page cannot express these tools"),
  "argument-left-out": silence("argument-left-out", "no call needs these arguments"),
  "tool-renamed": silence("tool-renamed", "the names of the server are no names of a page"),
  "tool-undescribed": silence("tool-undescribed", "the server says nothing of them"),
  "prompt-above-budget": silence("prompt-above-budget", "nobody has chosen yet which tools the session needs"),
  "service-unused": silence("service-unused", "the server calls all of its tools destructive"),
  "session-without-quota": () => "quota { 20 calls per turn }",
  "tool-unclassified": silence("tool-unclassified", "these tools are not used"),
};

function silence(code: string, reason: string): () => string {
  return () => `// capc: allow ${code} because ${JSON.stringify(reason)}`;
}

/**
 * Maximum number of rounds, which is more than a page can need. Each round checks the page, and writes a line for each
 * finding that has a remedy. If these lines uncover findings of another kind, a further round is needed.
 */
const MOST_ROUNDS = 5;

/** Returns the formatted page, and the findings that no remedy removes. `files` are those that the page names, by paths relative to it. */
export async function settleFindings(
  page: string,
  files: Readonly<Record<string, string>>,
  remedies: Remedies,
): Promise<PageFiles> {
  let text = await formatPage(page);
  for (let round = 0; ; round += 1) {
    const lock = await pinImports(text, files);
    const found = await findFindings(text, { ...files, ...(lock === undefined ? {} : { "cap.lock": lock }) });
    const mended = round === MOST_ROUNDS ? text : await formatPage(await applyRemedies(text, found, remedies));
    if (mended === text) return { page: text, lock, left: found };
    text = mended;
  }
}

/** Returns the page in the form of `capc fmt`; a page with syntax errors stays as it is, and its findings remain. */
async function formatPage(text: string): Promise<string> {
  const formed = await formatFile(createSourceText("system.cap", text));
  return formed.ok ? formed.value : text;
}

/** Returns a host with the page and the files beside it, by their names. */
export function createProjectHost(
  page: string,
  files: Readonly<Record<string, string>>,
): ReturnType<typeof createMemoryHost> {
  const others = Object.entries(files).map(([path, text]) => [`/${path}`, text]);
  return createMemoryHost({ ...Object.fromEntries(others), [PAGE]: page });
}

async function pinImports(page: string, files: Readonly<Record<string, string>>): Promise<string | undefined> {
  return (await updateLock(createProjectHost(page, files), PAGE, [])).text;
}

async function findFindings(page: string, files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
  const { diagnostics, advice } = await compile(createProjectHost(page, files), PAGE, { purpose: "check" });
  return [...diagnostics, ...advice];
}

async function applyRemedies(text: string, found: readonly Diagnostic[], remedies: Remedies): Promise<string> {
  const inserts = new Map<number, Set<string>>();
  for (const { code, span } of found) {
    const remedy = remedies[code];
    if (remedy === undefined || span.source.text !== text) continue;
    const isInside = code === "session-without-quota";
    const at = isInside ? await findSessionEnd(text, span.start) : text.lastIndexOf("\n", span.start) + 1;
    inserts.set(at, (inserts.get(at) ?? new Set()).add(remedy(getText(span))));
  }
  const places = [...inserts.keys()].sort((left, right) => right - left);
  return places.reduce((rest, at) => {
    const before = rest.slice(0, at);
    // Below a description (`///`), the inserted lines follow directly; elsewhere, a blank line precedes them.
    const gap = /\/\/\/.*\n$/.test(before) ? "" : "\n";
    return `${before}${gap}${[...(inserts.get(at) ?? [])].join("\n")}\n${rest.slice(at)}`;
  }, text);
}

/** Returns the offset of the brace that ends a session. The name of this session is at the offset `named`. */
async function findSessionEnd(text: string, named: number): Promise<number> {
  const { tree } = await parse(createSourceText("system.cap", text));
  const items = tree.items.flatMap((item) => (item.kind === "system" ? [item, ...item.items] : [item]));
  const session = items.find((item) => item.kind === "session" && item.name.span.start === named);
  return session === undefined ? bug("a finding about a session has no session") : session.span.end - 1;
}
