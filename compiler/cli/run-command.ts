// Runs one command. Contains no code of a particular command. Converts an error of the machine into a message and an
// exit status.

import { explainRefusal, isRefusal } from "../host/files.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { readArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { renderHelp } from "./help.ts";

/** Runs a command with the words after its name; an exception from it is a defect of capc. */
export async function runCommand(command: Command, words: readonly string[], world: World): Promise<ExitStatus> {
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

/** Prints the result of a command that cannot fail. */
export function printText(world: World, text: string): ExitStatus {
  world.print(text);
  return 0;
}

/** Reports wrong usage of the command line. */
export function refuseUse(world: World, text: string): ExitStatus {
  world.report(text);
  return 2;
}
