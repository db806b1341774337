// Runs `capc check` alone. The launcher starts it instead of `main.ts` if there is a bundle: a bundle of one command is a few large files,
// which Node loads faster than the many small ones that commands share.

import { endProcess } from "../host/world.ts";
import { check } from "./commands/check.ts";
import { runCommand } from "./run-command.ts";
import { runProcess } from "./run-process.ts";

await runProcess(([, ...words], world) => runCommand(check, words, world));
await endProcess();
