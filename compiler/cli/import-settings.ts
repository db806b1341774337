// Implements capc import claude, codex, gemini and openclaw: it converts settings of another agent to a page, and reports the parts
// without an equivalent.

import { resolve } from "node:path";
import { bug, type Diagnostic, escapeInvisible, reportOf } from "../../lang/diagnostics/index.ts";
import { formatFile } from "../../lang/format/index.ts";
import { createSourceText, type SourceText } from "../../lang/text/index.ts";
import type { ExitStatus, World } from "../host/world.ts";
import {
  type ImportedSettings,
  importClaude,
  importCodex,
  importGemini,
  importOpenclaw,
  narrowPage,
} from "../queries/import/index.ts";
import { createRefuser, type ParsedArguments } from "./command.ts";
import { resolveInFolder } from "./diff/side.ts";
import { compilePage, hasErrors } from "./page.ts";
import { tellFindings, tellOnly } from "./render-findings.ts";
import { readSource } from "./tree.ts";

const refuse = createRefuser("import");

const IMPORTERS: ReadonlyMap<string, (source: SourceText) => ImportedSettings> = new Map([
  ["claude", importClaude],
  ["codex", importCodex],
  ["gemini", importGemini],
  ["openclaw", importOpenclaw],
]);

/** The agents whose settings can be imported, in alphabetical order. */
export const AGENTS: readonly string[] = [...IMPORTERS.keys()];

/** The settings file of an agent. */
interface SettingsOperand {
  readonly agent: string;
  readonly file: string;
}

/** Prints the page to standard output and the findings to standard error. Returns 1 if there are findings, as lint does. */
export async function importSettings(
  { agent, file }: SettingsOperand,
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const importer = IMPORTERS.get(agent);
  if (importer === undefined) return refuse(world, 2, `settings of ${AGENTS.join(", ")} are read, not of ${agent}`);
  const read = readSource(file, world);
  if (read.kind === "unreadable") return refuse(world, 3, read.reason);
  const imported = read.kind === "read" ? importer(read.source) : { ok: false as const, ...read };
  if (!imported.ok) {
    tellOnly(imported.diagnostics, typed, world);
    return 1;
  }
  const named = typed.values.get("page");
  const made =
    named === undefined
      ? { ...imported, ok: true as const, text: imported.page }
      : await narrow(named, imported, { typed, world });
  if (!made.ok) return made.status;
  const { findings } = made;
  const page = await formatPage(made.text);
  if (typed.switches.has("json")) world.print(`${JSON.stringify({ ...reportOf(findings, findings.length), page })}\n`);
  else {
    world.print(page);
    tellFindings(findings, typed, world, typed.switches.has("all") ? findings.length : undefined);
  }
  return findings.length === 0 ? 0 : 1;
}

type WholeImport = Extract<ImportedSettings, { ok: true }>;

type NarrowResult =
  | { readonly ok: true; readonly text: string; readonly findings: readonly Diagnostic[] }
  | { readonly ok: false; readonly status: ExitStatus };

/** Adds a session with the limits of the settings to a page of the user. If the page cannot be changed, prints the reason. */
async function narrow(
  page: string,
  { policy, findings }: WholeImport,
  { typed, world }: { readonly typed: ParsedArguments; readonly world: World },
): Promise<NarrowResult> {
  const compiled = await compilePage(resolveInFolder(resolve(world.folder, page)), world, { purpose: "check" });
  if (compiled.kind === "unreadable") return { ok: false, status: refuse(world, 3, escapeInvisible(compiled.reason)) };
  if (hasErrors(compiled.compiled)) {
    tellOnly(compiled.compiled.diagnostics, typed, world);
    return { ok: false, status: 1 };
  }
  const { host } = compiled.readings;
  const narrowed = await narrowPage(
    { host, path: compiled.path, compiled: compiled.compiled, session: typed.values.get("session") },
    policy,
    findings,
  );
  return narrowed.ok ? narrowed : { ok: false, status: refuse(world, 1, escapeInvisible(narrowed.reason)) };
}

async function formatPage(page: string): Promise<string> {
  const formatted = await formatFile(createSourceText("system.cap", page));
  return formatted.ok ? formatted.value : bug("an imported page cannot be formatted");
}
