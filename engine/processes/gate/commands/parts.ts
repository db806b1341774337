import type { Archive } from "../archive.ts";
import type { Gate } from "../gate.ts";
import type { Neighbour } from "../ports.ts";
import type { Entry } from "../sources.ts";

/** What the answers to commands are made from. */
export interface CommandParts {
  readonly gate: Gate;
  /** Capabilities that this process holds, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
  /** Init, which takes connections back. */
  readonly supervisor: Neighbour;
  /** What was said in the session's conversations; nothing where no model answers in it. */
  readonly archive?: Archive | undefined;
  /** How the command was entered; nothing: it was typed. */
  readonly entry?: Entry;
}

export type Lines = readonly string[];

/** Where nobody keeps what is said. */
export const NO_ARCHIVE = "no model answers in this session, so nothing is said in it";
