// Runs any command.

import { dispatch } from "./dispatch.ts";
import { runProcess } from "./run-process.ts";

await runProcess(dispatch);
