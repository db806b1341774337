// action.yml starts this program.

import { runAction } from "./run.ts";

const { status, log } = await runAction(process.env);
process.stdout.write(log);
process.exitCode = status;
