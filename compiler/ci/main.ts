// Runs capc's GitHub Action: checks the pages of a repository, prints the log, and sets the exit status. action.yml
// starts this program.

import { runAction } from "./run.ts";

const { status, log } = await runAction(process.env);
process.stdout.write(log);
process.exitCode = status;
