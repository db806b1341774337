// Starts a role's program, and gives the program its surroundings, such as its arguments and its log, in addition to its
// capabilities. A process of an image gets its capabilities and its surroundings from init; `capc try` runs the same programs side
// by side in one process.

import { type Capset, openCapset } from "./capset.ts";

export interface Surroundings {
  /** The process's arguments in the manifest. */
  readonly words: readonly string[];
  /** The boot's identifier, 32 hexadecimal digits; empty if init passed none. */
  readonly bootId: string;
  /** Addresses of name servers; empty for a process without the network. */
  readonly resolvers: string;
  /** Writes a line to init's log. */
  readonly log: (line: string) => void;
  /**
   * Ends a process that cannot do its work. init shows the reason, and restarts the process if the manifest states this.
   * The process exits immediately, because open connections would otherwise keep it alive although it does not serve them.
   */
  readonly giveUp: (reason: string) => void;
}

/** The program of a role, which serves until its process ends. */
export type Program = (capset: Capset, surroundings: Surroundings) => Promise<void> | void;

/** Runs a program in this process, with the data and capabilities that init gave it. */
export async function runProgram(program: Program): Promise<void> {
  const { CAPOS_BOOT_ID = "", CAPOS_RESOLVERS = "" } = process.env;
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  await program(openCapset(), {
    words: process.argv.slice(2),
    bootId: CAPOS_BOOT_ID,
    resolvers: CAPOS_RESOLVERS,
    log,
    giveUp: (reason) => {
      log(reason);
      process.exit(1);
    },
  });
}
