// Runs a command line in this process. An exception from a command is reported as a defect of capc.

import { isRefusal } from "../host/files.ts";
import { createProcessWorld, type ExitStatus, type World } from "../host/world.ts";

/** Runs the command line that the arguments of the process contain, and sets the exit status of the process. */
export async function runProcess(run: (words: readonly string[], world: World) => Promise<ExitStatus>): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), createProcessWorld());
  } catch (error) {
    if (isCurrentFolderGone(error))
      process.stderr.write("capc: the current folder was deleted; change to another one\n");
    else reportDefect(error);
    process.exitCode = 3;
  }
}

function isCurrentFolderGone(error: unknown): boolean {
  return isRefusal(error) && error.syscall === "uv_cwd";
}

function reportDefect(error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`capc: a defect of capc itself; please report it with this text.\n${words}\n`);
}
