import type { Connection } from "../../lib/wire/index.ts";

/** A connection over which the host sends requests to another process of the runtime. */
export type Neighbour = Pick<Connection, "call">;

/** The clock and the pauses of the host. */
export interface World {
  /** Resolves after this time, or earlier if the host has other work. Milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  /** Writes a line to init's log. */
  readonly log: (line: string) => void;
}
