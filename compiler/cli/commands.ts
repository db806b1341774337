import { audit } from "./audit/command.ts";
import type { Command } from "./command.ts";
import { build } from "./commands/build.ts";
import { check } from "./commands/check.ts";
import { explain } from "./commands/explain.ts";
import { inspect } from "./commands/inspect.ts";
import { run } from "./commands/run.ts";

/** In the order in which a person meets them. */
export const COMMANDS: readonly Command[] = [check, build, inspect, run, explain, audit];
