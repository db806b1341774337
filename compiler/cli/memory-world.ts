// A world for tests: what a command prints is kept, nothing is a terminal unless the test says so.

import type { World } from "./world.ts";

export interface MemoryWorld extends World {
  readonly printed: () => string;
  readonly reported: () => string;
}

export function memoryWorld(changes: Partial<World> = {}): MemoryWorld {
  let printed = "";
  let reported = "";
  return {
    folder: process.cwd(),
    environment: {},
    inputIsTerminal: false,
    errorIsTerminal: false,
    readInput: async () => new Uint8Array(),
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
