// capc import converts YAML or JSON to a page in the canonical form.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { renderPage } from "../../../lang/format/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { importPage } from "../../queries/exchange/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { AGENTS, importSettings } from "../import-settings.ts";
import { tellOnly } from "../render-findings.ts";
import { readSource } from "../tree.ts";

const refuse = createRefuser("import");

/** `capc import FILE`; `import` itself is a reserved word of JavaScript. */
export const importCommand: Command = {
  name: "import",
  operands: ["FILE", "[FOREIGN]"],
  does: "make a page from YAML or JSON, settings of another agent or an upstream manifest, and print the page",
  details: `Without a format the command reads YAML or JSON in the form of \`capc schema page\`. It reports
every unknown part with its place. Rules of the printed page have other line numbers than in the
exported page, so the bytes of the policy tables differ.
\`capc import claude|codex|gemini|openclaw FILE\` reads a settings file of Claude Code, Codex, Gemini CLI or OpenClaw. For
gemini FILE may also be a policy file (.toml). The command reports rules without
effect, dangerous rules and rules that are easily bypassed, and proposes a replacement for each. It
prints a page with the rules about files, addresses and simple commands, and reports each rule that
is not on the page. The page allows no more than the settings. Ends with 1 if there is a finding.
Text output stops after 50 findings; --all shows all of them.
With --page the command prints PAGE with one more session, which extends the boot session and
narrows it to what the settings allow. In this session, rules about MCP servers apply to services of
the same name.
\`capc import upstream manifest.bin\` reads the boot manifest of an upstream capOS kernel, makes a
page and compiles it. It prints the page only if upstream would treat the new page's manifest as
equal to the original. Otherwise it lists every part that a page cannot express. With --out it
writes programs and keys beside the page, and replaces no file. If the policy of the manifest cannot
become rules of a page, the import fails. The page makes the same decisions as the manifest, but the
bytes of its policy tables differ.`,
  options: [
    { name: "all", does: "settings: show every finding, not only the first 50" },
    { name: "page", value: "PAGE", does: "settings: add a session to this page, narrowed to what the settings allow" },
    {
      name: "session",
      value: "NAME",
      does: "settings, with --page: the session to narrow (default: the boot session)",
    },
    { name: "out", value: "DIR", does: "upstream: write the page and its files into DIR" },
    { name: "without-tables", does: "upstream: ignore the policy of the manifest, and allow no call" },
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "print the page as a JSON value" },
  ],
  run: importFile,
};

async function importFile(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [file = "", foreign] = typed.operands;
  if (typed.switches.has("all") && (foreign === undefined || !AGENTS.includes(file)))
    return refuse(world, 2, `--all is of \`capc import ${AGENTS.join("|")}\``);
  const isOfSettings = foreign !== undefined && AGENTS.includes(file);
  const settingsOnly = ["page", "session"].find((name) => typed.values.has(name));
  if (settingsOnly !== undefined && !isOfSettings)
    return refuse(world, 2, `--${settingsOnly} is of \`capc import ${AGENTS.join("|")}\``);
  if (typed.values.has("session") && !typed.values.has("page")) return refuse(world, 2, "--session needs --page PAGE");
  if (foreign !== undefined && file === "upstream")
    return (await import("../import-upstream.ts")).importManifest(foreign, typed, world);
  const strange = [...typed.values.keys(), ...typed.switches].find(
    (name) => name === "out" || name === "without-tables",
  );
  if (strange !== undefined) return refuse(world, 2, `--${strange} is of \`capc import upstream\``);
  if (foreign !== undefined)
    return AGENTS.includes(file)
      ? importSettings({ agent: file, file: foreign }, typed, world)
      : refuse(
          world,
          2,
          `settings of ${AGENTS.join(", ")} and manifests of upstream are read, not '${escapeInvisible(file)}'`,
        );
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
