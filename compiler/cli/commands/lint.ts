// capc lint: advice about pages, beside their errors, in the form that the reader wants.

import { type Diagnostic, inPageOrder, reportOf } from "../../../lang/diagnostics/index.ts";
import { notEnforcedYet, notProved } from "../../check/index.ts";
import { githubText, type Silenced, sarifLog } from "../../lint/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, type Typed } from "../command.ts";
import { diagnosticPages } from "../diagnostic-pages.ts";
import { fixFiles } from "../fix.ts";
import { compilePage, tellFindings } from "../page.ts";
import type { Readings } from "../readings.ts";
import { versionOfCapc } from "../version.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

const FORMATS = ["text", "json", "sarif", "github"] as const;
type Format = (typeof FORMATS)[number];

/** What these say is true of this version of capc, and nothing that a page could do better. check and build say it. */
const OF_THE_TOOL: readonly string[] = [notEnforcedYet.code, notProved.code];

export const lint: Command = {
  name: "lint",
  operands: ["FILE…"],
  does: "give advice about pages, beside their errors",
  details: `Ends with 1 if there is any finding, advice too. Text goes to standard error; json, sarif (2.1.0) and github
(annotations for a workflow) go to standard output, with all findings and not the first fifty alone.`,
  options: [
    { name: "format", value: "FORMAT", choices: FORMATS, does: `${FORMATS.join(", ")} (text)` },
    { name: "fix", does: "apply the fixes that are certain, and give the changed files their form" },
    WATCH_OPTION,
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "the same as --format json" },
  ],
  run: async (typed, world) => {
    const once = (): Promise<Ran> => lintOnce(typed, world);
    return typed.switches.has("watch") ? watching("lint", once, world) : (await once()).status;
  },
};

/** What all pages together came to. */
interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly silenced: readonly Silenced[];
}

type Looked = { readonly findings: Findings; readonly readings: readonly Readings[]; readonly reason?: string };

async function lintOnce(typed: Typed, world: World): Promise<Ran> {
  let looked = await look(typed.operands, world);
  if (typed.switches.has("fix")) looked = await fixed(looked, typed.operands, world);
  const { findings, readings, reason } = looked;
  if (reason !== undefined) {
    world.report(`capc lint: ${reason}\n`);
    return { status: 3, readings };
  }
  await tell(findings, formatOf(typed), typed, world);
  return { status: findings.diagnostics.length === 0 ? 0 : 1, readings };
}

async function look(files: readonly string[], world: World): Promise<Looked> {
  const found: Diagnostic[][] = [];
  const silenced: Silenced[][] = [];
  const readings: Readings[] = [];
  let reason: string | undefined;
  for (const file of files) {
    const result = await compilePage(file, world, "check");
    readings.push(result.readings);
    if (result.kind === "unreadable") reason = result.reason;
    else {
      const { diagnostics, advice } = result.compiled;
      found.push([...diagnostics.filter(({ code }) => !OF_THE_TOOL.includes(code)), ...advice]);
      silenced.push([...result.compiled.silenced]);
    }
  }
  // Two pages may use the same third one.
  const findings = { diagnostics: inPageOrder(found.flat()), silenced: silenced.flat() };
  return { findings, readings, ...(reason === undefined ? {} : { reason }) };
}

/** A fix may show what another one was hidden by; a page that still is not done after so many looks never will be. */
const MOST_LOOKS = 10;

async function fixed(before: Looked, files: readonly string[], world: World): Promise<Looked> {
  let looked = before;
  let total = 0;
  for (let looks = 0; looks < MOST_LOOKS && looked.reason === undefined; looks += 1) {
    const result = await fixFiles(looked.findings.diagnostics, looked.readings, world);
    if (!result.ok) return { ...looked, reason: result.reason };
    if (result.count === 0) break;
    total += result.count;
    looked = await look(files, world);
  }
  if (total > 0) world.report(`capc lint: ${total} fixed\n`);
  return looked;
}

function formatOf(typed: Typed): Format {
  const named = FORMATS.find((format) => format === typed.values.get("format"));
  return named ?? (typed.switches.has("json") ? "json" : "text");
}

async function tell(findings: Findings, format: Format, typed: Typed, world: World): Promise<void> {
  const { diagnostics, silenced } = findings;
  switch (format) {
    case "text":
      tellFindings(diagnostics, hasColour(typed, world), world);
      if (silenced.length > 0) world.report(`${silenced.length} silenced, each with a reason\n`);
      return;
    case "json":
      return world.print(`${JSON.stringify(asJson(findings))}\n`);
    case "sarif": {
      const pages = await diagnosticPages();
      const log = sarifLog({ version: versionOfCapc(), ...findings, pages });
      return world.print(`${JSON.stringify(log, undefined, 2)}\n`);
    }
    case "github":
      return world.print(githubText(diagnostics));
  }
}

function asJson({ diagnostics, silenced }: Findings): object {
  const allowed = silenced.map(({ diagnostic, reason }) => ({ ...reportOf([diagnostic]).diagnostics[0], reason }));
  return { ...reportOf(diagnostics, diagnostics.length), silenced: allowed };
}
