// Selects the command and runs it. It depends on no command's work, and converts an exception into a message and an
// exit status.

import { findNearest } from "../../lang/diagnostics/index.ts";
import { explainRefusal, isRefusal } from "../host/files.ts";
import { readCapcVersion } from "../host/version.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { COMMANDS, loadCommands } from "./commands.ts";
import { renderHelp, renderOverview } from "./help.ts";

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

async function runCommand(command: Command, words: readonly string[], world: World): Promise<ExitStatus> {
  const reading = readArguments(command, words);
  switch (reading.kind) {
    case "help":
      return printText(world, renderHelp(command));
    case "wrong":
      return refuseUse(world, `capc ${command.name}: ${reading.reason}; see capc ${command.name} --help\n`);
    case "typed":
      return await awaitRun(command.run(reading.typed, world), command, world);
  }
}

/**
 * Awaits a command. An error of the operating system that the command did not handle is reported in one line, because it is
 * not a defect.
 */
async function awaitRun(run: Promise<ExitStatus>, command: Command, world: World): Promise<ExitStatus> {
  try {
    return await run;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    world.report(`capc ${command.name}: ${explainRefusal(error.path ?? "the system", error)}\n`);
    return 3;
  }
}

function refuseUnknownCommand(world: World, name: string): ExitStatus {
  const near = findNearest(name, COMMANDS.keys());
  const hint = near === undefined ? "see capc --help" : `did you mean ${near}?`;
  return refuseUse(world, `capc: there is no command '${name}'; ${hint}\n`);
}

function printText(world: World, text: string): ExitStatus {
  world.print(text);
  return 0;
}

function refuseUse(world: World, text: string): ExitStatus {
  world.report(text);
  return 2;
}
