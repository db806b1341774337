// capc import: a page from YAML or JSON, in the one form that pages have.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { renderPage } from "../../../lang/format/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { importPage } from "../../queries/exchange/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { importSettings } from "../import-settings.ts";
import { tellOnly } from "../render-findings.ts";
import { readSource } from "../tree.ts";

const refuse = createRefuser("import");

/** `capc import FILE`; the word itself is reserved. */
export const importCommand: Command = {
  name: "import",
  operands: ["FILE", "[FOREIGN]"],
  does: "print the page that YAML or JSON from capc export means, or settings and manifests of others",
  details: `What is read has the form that capc schema page prints. All that means nothing in a page is told, with its place.
Rules of the printed page stand at other places than on the page that was exported: its tables are other bytes.
\`capc import claude SETTINGS.json\` reads a settings file of Claude Code, tells which rules are inert, dangerous or
easily got around, and what to write instead, and prints a page of what they say of files, which lets nothing more
through. What has no counterpart in a page is told; with any finding it ends with 1. The first 50 findings are shown as
text, all of them with --all.
\`capc import upstream manifest.bin\` reads the boot manifest of an upstream capOS kernel. The page is compiled first:
it builds a manifest that upstream takes for the same, or there is none, and all that has no counterpart is told at
once. Programs and keys are written beside the page with --out, which replaces nothing. A policy that the manifest
carries is read back, or refused: the page decides the same, and its tables are other bytes.`,
  options: [
    { name: "all", does: "of claude: show every finding, and not the first 50 alone" },
    { name: "out", value: "DIR", does: "of upstream: write the page and its files here, instead of printing the page" },
    { name: "without-tables", does: "of upstream: leave the policy that it carries, and let nobody call anything" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "print the page as a JSON value" },
  ],
  run: importFile,
};

async function importFile(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = "", foreign] = typed.operands;
  if (typed.switches.has("all") && (foreign === undefined || file !== "claude"))
    return refuse(world, 2, "--all is of `capc import claude`");
  if (foreign !== undefined && file === "upstream")
    return (await import("../import-upstream.ts")).importManifest(foreign, typed, world);
  const strange = [...typed.values.keys(), ...typed.switches].find(
    (name) => name === "out" || name === "without-tables",
  );
  if (strange !== undefined) return refuse(world, 2, `--${strange} is of \`capc import upstream\``);
  if (foreign !== undefined)
    return file === "claude"
      ? importSettings(foreign, typed, world)
      : refuse(world, 2, `settings of claude and manifests of upstream are read, not '${escapeInvisible(file)}'`);
  const read = readSource(file, world);
  if (read.kind === "unreadable") return refuse(world, 3, read.reason);
  const imported = read.kind === "read" ? importPage(read.source) : { ok: false as const, ...read };
  const written = imported.ok ? await renderPage(imported.items) : imported;
  if (!written.ok) {
    tellOnly(written.diagnostics, typed, world);
    return 1;
  }
  const page = written.value;
  world.print(typed.switches.has("json") ? `${JSON.stringify({ page })}\n` : page);
  return 0;
}
