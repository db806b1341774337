// Runs `capc try` alone, as `check-main.ts` runs `capc check`.

import { endProcess } from "../host/world.ts";
import { runCommand } from "./run-command.ts";
import { runProcess } from "./run-process.ts";
import { tryPage } from "./try/command.ts";

await runProcess(([, ...words], world) => runCommand(tryPage, words, world));
await endProcess();
