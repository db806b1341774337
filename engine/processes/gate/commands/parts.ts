import type { Archive } from "../archive.ts";
import type { Gate } from "../gate.ts";
import type { Neighbour } from "../ports.ts";
import type { Entry } from "../sources.ts";

/** The parts that commands need for their answers. */
export interface CommandParts {
  readonly gate: Gate;
  /** Capabilities of this process, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
  /** Init, which revokes connections. */
  readonly supervisor: Neighbour;
  /** Store of the session's conversations; absent if no model answers in it. */
  readonly archive?: Archive | undefined;
  /** How the command was entered; absent if a person typed it. */
  readonly entry?: Entry;
}

export type Lines = readonly string[];

/** Answer in a session without a store for conversations. */
export const NO_ARCHIVE = "no model answers in this session, so nothing is said in it";
