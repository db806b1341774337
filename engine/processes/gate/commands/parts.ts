import type { Archive } from "../archive.ts";
import type { Gate } from "../gate.ts";
import type { Neighbour } from "../ports.ts";
import type { Entry } from "../sources.ts";

/** The parts of the process that commands use. */
export interface CommandParts {
  readonly gate: Gate;
  /** Capabilities that this process holds, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
  /** Init, which revokes connections. */
  readonly supervisor: Neighbour;
  /** Store of the session's conversations; absent if no model answers in the session. */
  readonly archive?: Archive | undefined;
  /** Way in which the command was entered; absent means typed. */
  readonly entry?: Entry;
}

export type Lines = readonly string[];

/** Answer to a command that needs the store of conversations, in a session without such a store. */
export const NO_ARCHIVE = "no model answers in this session, so nothing is said in it";
