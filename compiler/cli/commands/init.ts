// capc init creates a project that works and that passes its own CI checks.

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { escapeInvisible, reportOf } from "../../../lang/diagnostics/index.ts";
import { isName, NAME_FORM, nameFrom } from "../../../lang/grammar/index.ts";
import { useScratch, writeArtifacts } from "../../host/output.ts";
import { quoteShellWord } from "../../host/shell-word.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { askKind, askSource } from "../init/asking.ts";
import type { MadeProject } from "../init/finish.ts";
import { isKind, KIND_FACTS, KINDS, type Kind } from "../init/kinds.ts";
import { createProjectFiles } from "../init/project.ts";
import { formatPath, tellFindings, tellOnly } from "../render-findings.ts";

const refuse = createRefuser("init");

/** `capc init DIR` */
export const init: Command = {
  name: "init",
  operands: ["DIR"],
  does: "start a project: a page with tests, a chat script, a Makefile and a CI job",
  details: `Without --kind, the command asks for the kind at a terminal; without a terminal it makes a console project.
${KINDS.map((kind) => `- ${kind}: ${KIND_FACTS[kind].does}.`).join("\n")}
For mcp-server, --from is the command that starts the server, such as 'node server.js', or a .json
file with a response to tools/list. The server's command runs with your rights. If the server marks a
tool as destructive, the page forbids this tool. For claude, --from is a settings file (default:
.claude/settings.json), and the command prints its findings about this file. The command never replaces
a file: if one of the files that it would write exists in DIR, it writes no file.`,
  options: [
    { name: "kind", value: "KIND", choices: KINDS, does: `kind of the project: ${KINDS.join(", ")}` },
    {
      name: "from",
      value: "SOURCE",
      does: "for mcp-server: the server's command or a .json file; for claude: a settings file",
    },
    { name: "name", value: "NAME", does: "name of the system (default: the name of DIR)" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: initProject,
};

async function initProject(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const folder = resolve(world.folder, typed.operands[0] ?? "");
  const name = typed.values.get("name") ?? nameFrom(basename(folder), "system");
  if (!isName(name)) return refuse(world, 2, `'${name}' cannot be the name of a system: a name has ${NAME_FORM}`);
  const choice = await chooseKind(typed, world);
  if (!choice.ok) return refuse(world, choice.status, choice.reason);
  const { kind } = choice.value;
  const made = await makeProject(choice.value, name, world);
  if (!made.ok) {
    if (made.status !== 1) return refuse(world, made.status, made.reason);
    tellOnly(made.findings, typed, world);
    return refuse(world, 1, "no project was made, because of these findings");
  }
  const taken = made.files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0)
    return refuse(
      world,
      2,
      `${formatPath(folder, world)} has ${taken.join(", ")} already; nothing was written: choose another folder`,
    );
  const written = await useScratch(folder, async (scratch) => writeArtifacts(folder, scratch, made.files));
  if (!written.ok) return refuse(world, 3, written.reason);
  const paths = made.files.map(({ path }) => formatPath(join(folder, path), world));
  if (typed.switches.has("json")) {
    const findings = reportOf(made.findings, made.findings.length).diagnostics;
    world.print(`${JSON.stringify({ name, kind, files: paths, findings, notes: made.notes })}\n`);
    return 0;
  }
  world.print(`${paths.join("\n")}\n`);
  tellFindings(made.findings, typed, world);
  for (const note of made.notes) world.report(`capc init: ${escapeInvisible(note)}\n`);
  world.report(`\nNext: cd ${quoteShellWord(formatPath(folder, world))}, then \`make try\` or \`make check\`.\n`);
  return 0;
}

interface Choice {
  readonly kind: Kind;
  readonly source: string;
}

type ChoiceResult =
  | { readonly ok: true; readonly value: Choice }
  | { readonly ok: false; readonly status: 2 | 3; readonly reason: string };

const INTERRUPTED: ChoiceResult = { ok: false, status: 3, reason: "nothing was chosen, and nothing was written" };

function refuseChoice(reason: string): ChoiceResult {
  return { ok: false, status: 2, reason };
}

/**
 * Returns the kind of the new project, and its source: the text of `--from`, such as a settings file; empty if the kind
 * has none. Options, answers at a terminal, or defaults choose both.
 */
async function chooseKind(typed: ParsedArguments, world: World): Promise<ChoiceResult> {
  const [given, from] = [typed.values.get("kind"), typed.values.get("from")];
  if (given === undefined && from !== undefined) return refuseChoice("--from needs --kind mcp-server or --kind claude");
  const asks = world.inputIsTerminal && given === undefined && !typed.switches.has("json");
  const kind = asks ? await askKind(world) : (given ?? KINDS[0]);
  if (kind === undefined) return INTERRUPTED;
  if (!isKind(kind)) return refuseChoice(`'${kind}' is no kind of project`);
  const { asks: question, otherwise } = KIND_FACTS[kind];
  if (question === undefined)
    return from === undefined
      ? { ok: true, value: { kind, source: "" } }
      : refuseChoice(`--from is not for --kind ${kind}`);
  const source = from ?? (asks ? await askSource(kind, world) : otherwise);
  if (source === undefined && asks) return INTERRUPTED;
  return source === undefined || source === ""
    ? refuseChoice(`--kind ${kind} needs --from: ${question}`)
    : { ok: true, value: { kind, source } };
}

/**
 * Makes the project. Loads the compiler only for the kinds whose page is made from a tool server or from Claude Code's
 * settings.
 */
async function makeProject({ kind, source }: Choice, name: string, world: World): Promise<MadeProject> {
  switch (kind) {
    case "mcp-server":
      return (await import("../init/server.ts")).createServerProject(source, name, world);
    case "claude":
      return (await import("../init/claude.ts")).createClaudeProject(source, name, world);
    case "console":
    case "web-search":
    case "mcp-tools":
      return { ok: true, files: createProjectFiles(kind, { NAME: name }), findings: [], notes: [] };
  }
}
