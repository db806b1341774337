// Makes a project from settings of Claude Code: completes the page of `capc import claude`, and adds tests of its
// decisions.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";
import { importClaude } from "../../queries/import/index.ts";
import { readSource } from "../tree.ts";
import { finishProject, type MadeProject } from "./finish.ts";

const DOCS: Readonly<Record<string, string>> = {
  workspace: "The files that the settings are about.",
  operator: "The person at the console.",
};

/**
 * Makes a project from a settings file of Claude Code, and reports the findings about these settings. Fails if the
 * settings cannot be read.
 */
export async function createClaudeProject(file: string, name: string, world: World): Promise<MadeProject> {
  const read = readSource(file, world);
  if (read.kind === "unreadable") return { ok: false, status: 3, reason: read.reason };
  const imported = read.kind === "read" ? importClaude(read.source) : { ok: false as const, ...read };
  if (!imported.ok) return { ok: false, status: 1, findings: imported.diagnostics };
  const page = imported.page
    .replace(/^system [\w-]+/m, () => `system ${name}`)
    .replace("{ stub }", '{ stub "replies.json" }')
    .replace(/storage \{ disk "capos-data" \}/, 'storage { disk "capos-data"  create blank }');
  return finishProject({
    page,
    files: {},
    words: { NAME: name },
    kind: "claude",
    session: "operator",
    remedies: {
      "doc-missing": (named) => `/// ${DOCS[named] ?? `\`${named}\`, as the settings have it.`}`,
      "session-without-quota": () => "quota { 20 calls per turn }",
    },
    findings: imported.findings as readonly Diagnostic[],
  });
}
