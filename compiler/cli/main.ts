// The process: its arguments in, its exit status out. What escapes from a command is a defect of ours and said to be one.

import { createProcessWorld } from "../host/world.ts";
import { dispatch } from "./dispatch.ts";

try {
  process.exitCode = await dispatch(process.argv.slice(2), createProcessWorld());
} catch (error) {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`capc: a defect of capc itself; please report it with this text.\n${words}\n`);
  process.exitCode = 3;
}
