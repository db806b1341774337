// capc init creates a project that works and that passes its own CI checks.

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { isName, NAME_FORM, nameFrom } from "../../../lang/grammar/index.ts";
import { useScratch, writeArtifacts } from "../../host/output.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { createProjectFiles } from "../init/project.ts";
import { formatPath } from "../render-findings.ts";

const refuse = createRefuser("init");

/** `capc init DIR` */
export const init: Command = {
  name: "init",
  operands: ["DIR"],
  does: "start a project: a page, canned replies, a Makefile and a CI job",
  details: `Existing files are never replaced: if one of the files exists, the command writes no file.`,
  options: [{ name: "name", value: "NAME", does: "name of the system (default: the name of DIR)" }, JSON_OPTION],
  run: initProject,
};

async function initProject(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const folder = resolve(world.folder, typed.operands[0] ?? "");
  const name = typed.values.get("name") ?? nameFrom(basename(folder), "system");
  if (!isName(name)) return refuse(world, 2, `'${name}' cannot be the name of a system: a name has ${NAME_FORM}`);
  const files = createProjectFiles(name);
  const taken = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0)
    return refuse(
      world,
      2,
      `${formatPath(folder, world)} has ${taken.join(", ")} already; nothing was written: choose another folder`,
    );
  const written = await useScratch(folder, async (scratch) => writeArtifacts(folder, scratch, files));
  if (!written.ok) return refuse(world, 3, written.reason);
  const paths = files.map(({ path }) => formatPath(join(folder, path), world));
  world.print(typed.switches.has("json") ? `${JSON.stringify({ name, files: paths })}\n` : `${paths.join("\n")}\n`);
  return 0;
}
