// Runs the process from its arguments to its exit status. An exception from a command is reported as a defect of capc.

import { createProcessWorld } from "../host/world.ts";
import { dispatch } from "./dispatch.ts";

try {
  process.exitCode = await dispatch(process.argv.slice(2), createProcessWorld());
} catch (error) {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`capc: a defect of capc itself; please report it with this text.\n${words}\n`);
  process.exitCode = 3;
}
