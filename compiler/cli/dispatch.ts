// Finds the command that the first word of a command line names, and runs it. Reports an unknown command. Contains no
// code of a particular command.

import { findNearest } from "../../lang/diagnostics/index.ts";
import { readCapcVersion } from "../host/version.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { COMMANDS, loadCommands } from "./commands.ts";
import { renderOverview } from "./help.ts";
import { printText, refuseUse, runCommand } from "./run-command.ts";

/** Runs the command that `words` name; an exception from it is a defect of capc. */
export async function dispatch(words: readonly string[], world: World): Promise<ExitStatus> {
  const [name, ...rest] = words;
  if (name === undefined) return refuseUse(world, renderOverview(await loadCommands()));
  if (name === "--help" || name === "-h" || name === "help")
    return printText(world, renderOverview(await loadCommands()));
  if (name === "--version") return printText(world, `capc ${readCapcVersion()}\n`);
  const load = COMMANDS.get(name);
  return load === undefined ? refuseUnknownCommand(world, name) : await runCommand(await load(), rest, world);
}

function refuseUnknownCommand(world: World, name: string): ExitStatus {
  const near = findNearest(name, COMMANDS.keys());
  const hint = near === undefined ? "see capc --help" : `did you mean ${near}?`;
  return refuseUse(world, `capc: there is no command '${name}'; ${hint}\n`);
}
