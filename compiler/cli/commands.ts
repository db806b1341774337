import type { Command } from "./command.ts";
import { run } from "./commands/run.ts";

/** In the order in which a person meets them. */
export const COMMANDS: readonly Command[] = [run];
