// Implements capc import claude: it converts a settings file of Claude Code to a page, and reports the parts without an equivalent.

import { reportOf } from "../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { importClaude } from "../queries/import/index.ts";
import { createRefuser, type ParsedArguments } from "./command.ts";
import { tellFindings, tellOnly } from "./render-findings.ts";
import { readSource } from "./tree.ts";

const refuse = createRefuser("import");

/** Prints the page to standard output and the findings to standard error. Returns 1 if there are findings, as lint does. */
export async function importSettings(file: string, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const read = readSource(file, world);
  if (read.kind === "unreadable") return refuse(world, 3, read.reason);
  const imported = read.kind === "read" ? importClaude(read.source) : { ok: false as const, ...read };
  if (!imported.ok) {
    tellOnly(imported.diagnostics, typed, world);
    return 1;
  }
  const { page, findings } = imported;
  if (typed.switches.has("json")) world.print(`${JSON.stringify({ ...reportOf(findings, findings.length), page })}\n`);
  else {
    world.print(page);
    tellFindings(findings, typed, world, typed.switches.has("all") ? findings.length : undefined);
  }
  return findings.length === 0 ? 0 : 1;
}
