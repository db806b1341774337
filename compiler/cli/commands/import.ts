// capc import: a page from YAML or JSON, in the one form that pages have.

import { pageText } from "../../../lang/format/index.ts";
import { importPage } from "../../exchange/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { tellOnly } from "../telling.ts";
import { readSource } from "../tree.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("import");

/** `capc import FILE`; the word itself is reserved. */
export const importCommand: Command = {
  name: "import",
  operands: ["FILE"],
  does: "print the page that YAML or JSON from capc export means",
  details: `What is read has the form that capc schema page prints. All that means nothing in a page is told, with its place.`,
  options: [COLOUR_OPTION, { ...JSON_OPTION, does: "print the page as a JSON value" }],
  run: importFile,
};

async function importFile(typed: Typed, world: World): Promise<ExitStatus> {
  const read = readSource(typed.operands[0] ?? "", world);
  if (read.kind === "unreadable") return refuse(world, 3, read.reason);
  const imported = read.kind === "read" ? importPage(read.source) : { ok: false as const, ...read };
  const written = imported.ok ? await pageText(imported.items) : imported;
  if (!written.ok) {
    tellOnly(written.diagnostics, typed, world);
    return 1;
  }
  const page = written.value;
  world.print(typed.switches.has("json") ? `${JSON.stringify({ page })}\n` : page);
  return 0;
}
