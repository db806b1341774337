// capc import: a page from YAML or JSON, in the one form that pages have.

import { pageText } from "../../../lang/format/index.ts";
import { importPage } from "../../exchange/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, refusing, type Typed } from "../command.ts";
import { tellFindings } from "../telling.ts";
import { readSource } from "../tree.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("import");

/** `capc import FILE`; the word itself is reserved. */
export const importCommand: Command = {
  name: "import",
  operands: ["FILE"],
  does: "print the page that YAML or JSON from capc export means",
  details: `What is read has the form that capc schema page prints. All that means nothing in a page is told, with its place.`,
  options: [COLOUR_OPTION],
  run: importFile,
};

async function importFile(typed: Typed, world: World): Promise<ExitStatus> {
  const read = readSource(typed.operands[0] ?? "", world);
  if (read.kind === "unreadable") return refuse(world, 3, read.reason);
  const imported = read.kind === "read" ? importPage(read.source) : { ok: false as const, ...read };
  const written = imported.ok ? await pageText(imported.items) : imported;
  if (!written.ok) {
    tellFindings(written.diagnostics, hasColour(typed, world), world);
    return 1;
  }
  world.print(written.value);
  return 0;
}
