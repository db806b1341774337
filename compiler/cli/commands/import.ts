// capc import: a page from YAML or JSON, in the one form that pages have.

import { visible } from "../../../lang/diagnostics/index.ts";
import { pageText } from "../../../lang/format/index.ts";
import { importPage } from "../../exchange/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { importSettings } from "../import-settings.ts";
import { tellOnly } from "../telling.ts";
import { readSource } from "../tree.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("import");

/** `capc import FILE`; the word itself is reserved. */
export const importCommand: Command = {
  name: "import",
  operands: ["FILE", "[SETTINGS]"],
  does: "print the page that YAML or JSON from capc export means, or settings of another agent",
  details: `What is read has the form that capc schema page prints. All that means nothing in a page is told, with its place.
\`capc import claude SETTINGS.json\` reads a settings file of Claude Code, tells which rules are inert, dangerous or
easily got around, and what to write instead, and prints a page of what they say of files, which lets nothing more
through. What has no counterpart in a page is told; with any finding it ends with 1.`,
  options: [COLOUR_OPTION, { ...JSON_OPTION, does: "print the page as a JSON value" }],
  run: importFile,
};

async function importFile(typed: Typed, world: World): Promise<ExitStatus> {
  const [file = "", settings] = typed.operands;
  if (settings !== undefined)
    return file === "claude"
      ? importSettings(settings, typed, world)
      : refuse(world, 2, `settings of claude alone are read, not of '${visible(file)}'`);
  const read = readSource(file, world);
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
