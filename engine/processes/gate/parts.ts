import type { IndexedTables } from "../../lib/policy/index.ts";
import type { Models } from "./models.ts";
import type { Parking } from "./parking.ts";
import type { Neighbour, Person, Provider } from "./ports.ts";

/** What the units of a gate have in common; nothing in it is a service. */
export interface GateParts {
  readonly tables: IndexedTables;
  /** SHA-256 of the bytes that the tables were read from. */
  readonly policyDigest: Uint8Array;
  readonly session: string;
  readonly person: Person;
  readonly broker: Neighbour;
  readonly audit: Neighbour;
  readonly models: Models;
  readonly parking: Parking;
}

/** What a gate is given. */
export interface GivenParts extends GateParts {
  /** The services of the session, by name. */
  readonly providers: ReadonlyMap<string, Provider>;
}

/** Puts an event of the session on record; nothing waits for it. */
export type Note = (event: string, detail: string) => void;
