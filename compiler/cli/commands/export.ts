// capc export: one page as YAML or JSON, for other programs.

import { exportPage, yamlText } from "../../exchange/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { tellOnly } from "../telling.ts";
import { readTree } from "../tree.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("export");

const FORMS = ["yaml", "json"] as const;

/** `capc export FILE`; the word itself is reserved. */
export const exportCommand: Command = {
  name: "export",
  operands: ["FILE"],
  does: "print a page as YAML or JSON, with the same meaning",
  details: `One file is exported, its \`use\` lines as they are; comments are not kept. capc import makes a page of it again,
and capc schema page prints the JSON Schema of what is printed.`,
  options: [
    { name: "to", value: "FORM", choices: FORMS, does: "yaml or json (yaml)" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "the same as --to json" },
  ],
  run: exportFile,
};

async function exportFile(typed: Typed, world: World): Promise<ExitStatus> {
  const read = await readTree(typed.operands[0] ?? "", world);
  switch (read.kind) {
    case "unreadable":
      return refuse(world, 3, read.reason);
    case "refused":
      tellOnly(read.diagnostics, typed, world);
      return 1;
    case "read": {
      const value = exportPage(read.tree);
      const isJson = typed.switches.has("json") || typed.values.get("to") === "json";
      world.print(isJson ? `${JSON.stringify(value, undefined, 2)}\n` : yamlText(value));
      return 0;
    }
  }
}
