// capc export: one page as YAML or JSON for other programs, or its policy for engines and agents of others.

import type { ExitStatus, World } from "../../host/world.ts";
import { exportPage, renderYaml } from "../../queries/exchange/index.ts";
import { TARGETS } from "../../queries/export/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { exportTo } from "../export-policy.ts";
import { tellOnly } from "../render-findings.ts";
import { readTree } from "../tree.ts";

const refuse = createRefuser("export");

const FORMS = ["yaml", "json", ...TARGETS] as const;

/** `capc export FILE`; the word itself is reserved. */
export const exportCommand: Command = {
  name: "export",
  operands: ["FILE"],
  does: "print a page as YAML or JSON, or its policy for engines and agents of others",
  details: `yaml and json: one file is exported, its \`use\` lines as they are; comments and places are not kept. capc import
makes a page of it again. Its tables differ from those of FILE in the places of rules alone: \`capc diff\` finds no
difference. capc schema page prints the JSON Schema of what is printed.
cedar (policies and schema), rego (a module for OPA, and data), claude (managed settings of Claude Code), codex
(config.toml) and gemini (rules of its policy engine) are made of the whole page. None of them lets a call through that
the page does not. What each makes stricter, and what it leaves to whoever runs it, is told on standard error; with
--out on standard output, and in report.json beside the files. --strict ends with 1 where a line of the page is lost.`,
  options: [
    { name: "to", value: "FORM", choices: FORMS, does: `${FORMS.join(", ")} (yaml)` },
    { name: "at", value: "PLACE", does: "claude, codex, gemini: SESSION[.TASK[.PHASE]] (the session that boots)" },
    { name: "out", value: "DIR", does: "write the files of an engine or agent, and report.json, into DIR" },
    { name: "strict", does: "end with 1 if an engine or agent does not hold all that the page says" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "yaml and json: the same as --to json; else files and report as a JSON value" },
  ],
  run: exportFile,
};

async function exportFile(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const to = typed.values.get("to");
  const target = TARGETS.find((one) => one === to);
  if (target !== undefined) return exportTo(target, typed, world);
  const idle = ["at", "out", "strict"].find((name) => typed.values.has(name) || typed.switches.has(name));
  if (idle !== undefined) return refuse(world, 2, `--${idle} is for --to ${TARGETS.join(", ")}`);
  const read = await readTree(typed.operands[0] ?? "", world);
  switch (read.kind) {
    case "unreadable":
      return refuse(world, 3, read.reason);
    case "refused":
      tellOnly(read.diagnostics, typed, world);
      return 1;
    case "read": {
      const value = exportPage(read.tree);
      world.print(
        typed.switches.has("json") || to === "json" ? `${JSON.stringify(value, undefined, 2)}\n` : renderYaml(value),
      );
      return 0;
    }
  }
}
