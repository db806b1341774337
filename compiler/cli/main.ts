// Entry point of `capc`: runs the command that the command line names.

import { dispatch } from "./dispatch.ts";
import { runProcess } from "./run-process.ts";

await runProcess(dispatch);
