// Runs the process from its arguments to its exit status. An exception from a command is reported as a defect of capc.

import { isRefusal } from "../host/files.ts";
import { createProcessWorld } from "../host/world.ts";
import { dispatch } from "./dispatch.ts";

try {
  process.exitCode = await dispatch(process.argv.slice(2), createProcessWorld());
} catch (error) {
  if (isCurrentFolderGone(error)) process.stderr.write("capc: the current folder was deleted; change to another one\n");
  else reportDefect(error);
  process.exitCode = 3;
}

function isCurrentFolderGone(error: unknown): boolean {
  return isRefusal(error) && error.syscall === "uv_cwd";
}

function reportDefect(error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`capc: a defect of capc itself; please report it with this text.\n${words}\n`);
}
