// Program that action.yml starts.

import { runAction } from "./run.ts";

const { status, log } = await runAction(process.env);
process.stdout.write(log);
process.exitCode = status;
