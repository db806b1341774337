// Runs `capc check` alone. If there is a bundle, the launcher starts this program instead of `main.ts`. The bundle of one command is a few
// large files, which Node loads faster than the many small files that commands share.

import { endProcess } from "../host/world.ts";
import { check } from "./commands/check.ts";
import { runCommand } from "./run-command.ts";
import { runProcess } from "./run-process.ts";

await runProcess(([, ...words], world) => runCommand(check, words, world));
await endProcess();
