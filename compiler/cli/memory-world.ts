// Creates a world for tests and for CI: the folder, environment and streams that a command uses. This world stores the
// output of the command, and by default none of its streams is a terminal.

import type { ExitStatus, World } from "../host/world.ts";
import { dispatch } from "./dispatch.ts";

interface MemoryWorld extends World {
  readonly printed: () => string;
  readonly reported: () => string;
}

export function createMemoryWorld(changes: Partial<World> = {}): MemoryWorld {
  let printed = "";
  let reported = "";
  return {
    folder: process.cwd(),
    environment: {},
    inputIsTerminal: false,
    errorIsTerminal: false,
    outputIsTerminal: false,
    readInput: async () => new Uint8Array(),
    askLine: async () => undefined,
    print: (text) => {
      printed += text;
    },
    report: (text) => {
      reported += text;
    },
    interrupted: new AbortController().signal,
    ...changes,
    printed: () => printed,
    reported: () => reported,
  };
}

/** Result of a command line that ran in a world in memory. */
export interface CommandOutput {
  readonly status: ExitStatus;
  readonly out: string;
  readonly err: string;
}

export async function runCommand(words: readonly string[], changes: Partial<World> = {}): Promise<CommandOutput> {
  const world = createMemoryWorld(changes);
  const status = await dispatch(words, world);
  return { status, out: world.printed(), err: world.reported() };
}
