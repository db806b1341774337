// Makes a project with the tools of an existing MCP server. Its page is strict: a person approves each call, and a tool that the server
// itself calls destructive is forbidden.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { readText } from "../../host/files.ts";
import type { World } from "../../host/world.ts";
import { type ListedTool, readToolList } from "../../phases/reflect/index.ts";
import { MAX_ASSET_BYTES } from "../../phases/source/index.ts";
import { fillTemplate } from "../template.ts";
import { recordTools, splitCommand } from "../tool/list.ts";
import { finishProject, type MadeProject } from "./finish.ts";
import { locateTemplate } from "./project.ts";
import { LIST_REMEDIES } from "./settle.ts";

const LIST = "server.tools.json";

/** Program in the new project that serves its tools. */
interface Program {
  readonly path: string;
  readonly text: string;
  /** Description of the program, for the project's README. */
  readonly is: string;
  /** Sentence for the person; absent if the server itself is in the project. */
  readonly note?: string;
}

/** Makes the project. `source` is a command, or the path of a file `.json` with a response to tools/list. */
export async function createServerProject(source: string, name: string, world: World): Promise<MadeProject> {
  const isFile = source.endsWith(".json");
  const command = isFile ? accept([]) : splitCommand(source);
  if (!command.ok) return { ok: false, status: 2, reason: command.reason };
  const text = isFile ? readText(resolve(world.folder, source)) : await recordTools(command.value, world);
  if (!text.ok) return { ok: false, status: 3, reason: isFile ? text.reason : `${source}: ${text.reason}` };
  const list = readToolList(LIST, text.value);
  if (!list.ok) return { ok: false, status: 3, reason: `${source}: ${list.reason}` };
  const tools = list.value.tools.filter(({ method }) => method.callable);
  if (tools.length === 0) return { ok: false, status: 3, reason: `${source}: it lists no tool that a page can have` };
  const program = await createProgram(command.value, { tools, digest: list.value.description.toolList }, world);
  return finishProject({
    kind: "mcp-server",
    page: renderServerPage(name, tools, program.path),
    files: { [LIST]: text.value, [program.path]: program.text },
    words: { NAME: name, PROGRAM: program.path, PROGRAM_IS: program.is },
    session: "operator",
    remedies: LIST_REMEDIES,
    findings: [],
    notes: program.note === undefined ? [] : [program.note],
  });
}

/** Returns the category of a tool: the most dangerous category that the hints of its server do not exclude. */
function chooseCategory({ hints }: ListedTool): string {
  if (hints.destructive === true) return "destructive";
  if (hints.readOnly === true) return "readOnly";
  return hints.destructive === false ? "mutatingLocal" : "destructive";
}

const isForbidden = ({ hints }: ListedTool): boolean => hints.destructive === true;

function renderServerPage(name: string, tools: readonly ListedTool[], program: string): string {
  const methods = tools.map((tool) => `    method ${tool.method.name} : ${chooseCategory(tool)}\n`);
  const lines = tools.map(
    (tool) => `      ${isForbidden(tool) ? "forbidden" : "consent"} server.${tool.method.name}\n`,
  );
  return `/// An agent with the tools of an MCP server. A person approves each call.
system ${name} version "0.1.0" {
  use mcp "./${LIST}" as listed

  // These categories decide, not what the server states about its tools. They are strict guesses: correct them.
  interface listed.Tools {
${methods.join("")}  }

  /// The MCP server.
  service server : listed.Tools { exec "${program}" }

  /// Canned replies in place of a model, so that you can try the page.
  backend canned { stub "replies.json"  clearance secret }

  /// The person at the console.
  session operator {
    kind operator
    clearance secret
    models { auto canned }
    permit {
${lines.join("")}    }
${tools.every(isForbidden) ? "" : "    quota { 20 calls per turn  10 prompts per turn }\n"}    timeout { 30 s per call }
  }

  storage { disk "capos-data"  create blank }  // without a disk nothing is recorded, and nothing is approved
  image   { target linux  machine vm  boot operator }
}
`;
}

interface KnownList {
  readonly tools: readonly ListedTool[];
  readonly digest: Uint8Array | undefined;
}

/** Returns the server as one file if this file starts and lists the same tools; otherwise a module with a function for each tool. */
async function createProgram(command: readonly string[], known: KnownList, world: World): Promise<Program> {
  const bundled = await bundleServer(command, known.digest, world);
  if (bundled.ok)
    return { path: "services/server.mcp.js", text: bundled.value, is: "the server, bundled into one file" };
  const path = "services/server.js";
  const is = "stands in for the server: a function for each tool, to be written";
  const note = `${bundled.reason}, so ${path} stands in for the server: write its functions, or bundle the server into services/server.mcp.js and name that file on the page`;
  return { path, text: renderStandIn(known.tools, bundled.reason), is, note };
}

function renderStandIn(tools: readonly ListedTool[], reason: string): string {
  const functions = tools.map(({ method: { name } }) => {
    const words = JSON.stringify(`${name} is not written yet: see services/server.js`);
    return `${JSON.stringify(name)}(given) {\n    throw new Error(${words});\n  }`;
  });
  const comment = escapeInvisible(reason);
  return fillTemplate(locateTemplate("mcp-server/server.js"), { REASON: comment, FUNCTIONS: functions.join(",\n  ") });
}

const BUNDLED = /\.(?:[cm]?js|m?ts)$/;

async function bundleServer(
  command: readonly string[],
  digest: Uint8Array | undefined,
  world: World,
): Promise<Result<string>> {
  const [program, file, ...rest] = command;
  if (program === undefined) return refuse("Only the list of the server is known");
  if (!/^node(?:js)?$/.test(basename(program)) || file === undefined || !BUNDLED.test(file) || rest.length > 0)
    return refuse(`Only a server that \`node FILE\` starts can be bundled, not \`${command.join(" ")}\``);
  const text = await bundleFile(resolve(world.folder, file));
  if (!text.ok) return text;
  const bytes = Buffer.byteLength(text.value);
  if (bytes > MAX_ASSET_BYTES)
    return refuse(`The bundled server has ${bytes} bytes, and a program at most ${MAX_ASSET_BYTES}`);
  const folder = mkdtempSync(join(tmpdir(), "capc-server-"));
  try {
    const path = join(folder, "server.mjs");
    writeFileSync(path, text.value);
    const again = await recordTools([process.execPath, path], { folder, interrupted: world.interrupted });
    // This message becomes one line of a comment on the page, so the lines that the server printed are joined.
    if (!again.ok) return refuse(`The bundled server does not start: ${again.reason.replaceAll(/\s*\n\s*/g, " ")}`);
    const list = readToolList(LIST, again.value);
    const isSame = list.ok && Buffer.from(list.value.description.toolList ?? []).equals(digest ?? Buffer.of());
    return isSame ? text : refuse("The bundled server lists other tools");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Code with which a bundle begins. It defines `require` for the dependencies in the bundle. Programs of an image can
 * import and require only modules of Node.
 */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire("/");';

async function bundleFile(file: string): Promise<Result<string>> {
  const { build } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      minify: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node24",
      logLevel: "silent",
    });
    const text = outputFiles[0]?.text ?? "";
    return accept(text.includes("Dynamic require of") ? `${REQUIRE}\n${text}` : text);
  } catch (error) {
    // The first line of esbuild's output is the number of errors; each further line is one error.
    const [title = "", first = title] = (error instanceof Error ? error.message : String(error)).split("\n");
    return refuse(`The server cannot be bundled: ${first.trim()}`);
  }
}
