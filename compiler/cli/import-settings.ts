// Implements capc import claude, codex, gemini and openclaw: it converts settings of another agent to a page, and reports the parts
// without an equivalent.

import { bug, reportOf } from "../../lang/diagnostics/index.ts";
import { formatFile } from "../../lang/format/index.ts";
import { createSourceText, type SourceText } from "../../lang/text/index.ts";
import type { ExitStatus, World } from "../host/world.ts";
import {
  type ImportedSettings,
  importClaude,
  importCodex,
  importGemini,
  importOpenclaw,
} from "../queries/import/index.ts";
import { createRefuser, type ParsedArguments } from "./command.ts";
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
  const { findings } = imported;
  const page = await formatPage(imported.page);
  if (typed.switches.has("json")) world.print(`${JSON.stringify({ ...reportOf(findings, findings.length), page })}\n`);
  else {
    world.print(page);
    tellFindings(findings, typed, world, typed.switches.has("all") ? findings.length : undefined);
  }
  return findings.length === 0 ? 0 : 1;
}

async function formatPage(page: string): Promise<string> {
  const formatted = await formatFile(createSourceText("system.cap", page));
  return formatted.ok ? formatted.value : bug("an imported page cannot be formatted");
}
