// capc lint: advice about pages, beside their errors, in the form that the reader wants.

import { resolve } from "node:path";
import { reportOf } from "../../../lang/diagnostics/index.ts";
import { githubText, junitText, sarifLog } from "../../lint/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { diagnosticPages } from "../diagnostic-pages.ts";
import { type Findings, fixed, look } from "../lint/look.ts";
import { spoken, tellFindings } from "../telling.ts";
import { versionOfCapc } from "../version.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

const refuse = refusing("lint");

const FORMATS = ["text", "json", "sarif", "github", "junit"] as const;
type Format = (typeof FORMATS)[number];

/** `capc lint FILE…` */
export const lint: Command = {
  name: "lint",
  operands: ["FILE…"],
  does: "give advice about pages, beside their errors",
  details: `Ends with 1 if there is any finding, advice too. Text goes to standard error; json, sarif (2.1.0), github
(annotations for a workflow) and junit (XML, a test for each finding) go to standard output, with all
findings and not the first fifty alone.`,
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

async function lintOnce(typed: Typed, world: World): Promise<Ran> {
  let looked = await look(typed.operands, world);
  if (typed.switches.has("fix")) looked = await fixed(looked, typed.operands, world);
  const { findings, readings, reason } = looked;
  if (reason !== undefined) return { status: refuse(world, 3, reason), readings };
  await tell(findings, formatOf(typed), typed, world);
  return { status: findings.diagnostics.length === 0 ? 0 : 1, readings };
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
    case "junit": {
      const files = typed.operands.map((file) => spoken(resolve(world.folder, file), world));
      return world.print(junitText({ files, ...findings }));
    }
  }
}

function asJson({ diagnostics, silenced }: Findings): object {
  const allowed = silenced.map(({ diagnostic, reason }) => ({ ...reportOf([diagnostic]).diagnostics[0], reason }));
  return { ...reportOf(diagnostics, diagnostics.length), silenced: allowed };
}
