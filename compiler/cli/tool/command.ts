// capc tool makes new tools for a page, and records the lists of MCP servers.

import { resolve } from "node:path";
import { escapeInvisible, reportOf } from "../../../lang/diagnostics/index.ts";
import { isName, NAME_FORM } from "../../../lang/grammar/index.ts";
import { placeText } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { tellFindings } from "../render-findings.ts";

const refuse = createRefuser("tool");

/** `capc tool new NAME`, `capc tool list COMMAND` */
export const tool: Command = {
  name: "tool",
  operands: ["new|list", "NAME|COMMAND", "[FILE]"],
  does: "make a tool of your own, or list the tools of an MCP server",
  details: `new NAME makes an interface (NAME.capnp) and its program (services/NAME.js). The program is a JavaScript module,
which runs in \`capc try\` and in the image. The command adds the tool to the page FILE (default: system.cap): the
import, the service, a rule that lets the agent call it, and a test. It also pins the import in
cap.lock, and adds to the stub's file of canned replies a reply that calls the tool. It changes no other text of the
page. If the page would then have a new finding, the command writes nothing. The same holds if the session would
not let the tool run without approval. The command then prints the lines of the tool, so that you can add them.
list COMMAND starts an MCP server, such as 'node server.js',
with your rights, and prints its response to tools/list, which a page can import with \`use mcp\`.`,
  options: [
    { name: "session", value: "NAME", does: "new: session that gets the tool (default: the boot session)" },
    { name: "out", value: "FILE", does: "list: write the response to this file" },
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: runTool,
};

async function runTool(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const [action = "", subject = "", file] = typed.operands;
  if (action !== "new" && action !== "list")
    return refuse(world, 2, `'${escapeInvisible(action)}' is none of new, list`);
  const strange = action === "new" ? "out" : "session";
  if (typed.values.has(strange)) return refuse(world, 2, `--${strange} is not for \`capc tool ${action}\``);
  if (action === "new") return newTool(subject, file ?? "system.cap", typed, world);
  return file === undefined ? listTools(subject, typed, world) : refuse(world, 2, "list takes one command, in quotes");
}

/** Form of the names that are valid both on a page and as names of files. */
const TOOL_NAME = /^[a-z][A-Za-z0-9_-]*$/;

async function newTool(name: string, file: string, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  if (!isName(name) || !TOOL_NAME.test(name))
    return refuse(
      world,
      2,
      `'${escapeInvisible(name)}' cannot be the name of a tool: it begins with a lower-case letter, and has ${NAME_FORM}`,
    );
  const { makeTool } = await import("./new.ts");
  const made = await makeTool({ name, file, session: typed.values.get("session") }, world);
  const isJson = typed.switches.has("json");
  if (made.ok) {
    const { files, changed, line } = made;
    if (isJson) world.print(`${JSON.stringify({ name, files, changed, say: line })}\n`);
    else {
      world.print([...files, ...changed.map((each) => `${each} (changed)`), ""].join("\n"));
      world.report(`Try it: capc try ${file} --say '${line}'\n`);
    }
    return 0;
  }
  const { status, reason, findings = [], paste } = made;
  if (isJson)
    world.print(`${JSON.stringify({ ...reportOf(findings, findings.length), reason, paste: paste ?? null })}\n`);
  else {
    tellFindings(findings, typed, world);
    refuse(world, status, reason);
    if (paste !== undefined) world.report(`To add it by hand, write:\n${paste}`);
  }
  return status;
}

async function listTools(command: string, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const { recordTools, splitCommand } = await import("./list.ts");
  const words = splitCommand(command);
  if (!words.ok) return refuse(world, 2, words.reason);
  const listed = await recordTools(words.value, world);
  if (!listed.ok) return refuse(world, 3, `${command}: ${listed.reason}`);
  const out = typed.values.get("out");
  if (out === undefined) {
    world.print(listed.value);
    return 0;
  }
  const written = placeText(resolve(world.folder, out), listed.value);
  return written.ok ? 0 : refuse(world, 3, written.reason);
}
