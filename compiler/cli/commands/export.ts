// capc export prints one page as YAML or JSON for other programs, or its policy for other engines and agents.

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

/** `capc export FILE`; `export` itself is a reserved word of JavaScript. */
export const exportCommand: Command = {
  name: "export",
  operands: ["FILE"],
  does: "print a page as YAML or JSON, or write its policy for other policy engines and agents",
  details: `yaml and json export one file, with its \`use\` lines but without comments and positions in the
source. \`capc import\` turns the output into a page again. The rules of this page have other line
numbers, but \`capc diff\` finds no difference. \`capc schema page\` prints the JSON Schema of the
output.
cedar and rego export the whole page: cedar writes policies and a schema, and rego writes an OPA
module and data. claude writes managed settings of Claude Code, codex writes a config.toml, and
gemini writes rules of Gemini's policy engine. The exported policy never allows a call that the page
denies. The command lists rules that are lost or become stricter: on standard error, or with --out
on standard output and in report.json. With --strict it ends with 1 if a rule is lost.`,
  options: [
    { name: "to", value: "FORM", choices: FORMS, does: `output format: ${FORMS.join(", ")} (default: yaml)` },
    {
      name: "at",
      value: "PLACE",
      does: "claude, codex, gemini: export this SESSION[.TASK[.PHASE]] (default: the boot session)",
    },
    { name: "out", value: "DIR", does: "write the exported files and report.json into DIR" },
    { name: "strict", does: "end with 1 if the engine or agent cannot express a rule of the page" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "yaml and json: same as --to json; otherwise files and report as a JSON value" },
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
