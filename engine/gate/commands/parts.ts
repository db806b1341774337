import type { Gate } from "../gate.ts";
import type { Neighbour } from "../ports.ts";

/** What the answers to commands are made from. */
export interface CommandParts {
  readonly gate: Gate;
  /** Capabilities that this process holds, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
  /** Init, which takes connections back. */
  readonly supervisor: Neighbour;
}

export type Lines = readonly string[];
