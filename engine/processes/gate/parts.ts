import type { Beginning } from "./beginning.ts";
import type { Models } from "./models.ts";
import type { Parking } from "./parking.ts";
import type { Neighbour, Person, Provider } from "./ports.ts";

/** Objects that all classes of a gate may use, such as the policy tables and the broker; no service is among them. */
export interface GateParts extends Beginning {
  /** SHA-256 of the bytes that the tables were read from. */
  readonly policyDigest: Uint8Array;
  readonly person: Person;
  readonly broker: Neighbour;
  readonly audit: Neighbour;
  readonly models: Models;
  readonly parking: Parking;
}

/** The parts from which a gate is created. */
export interface GivenParts extends GateParts {
  /** The services of the session, by name. */
  readonly providers: ReadonlyMap<string, Provider>;
}

/** Records an event of the session, without waiting for it. */
export type Note = (event: string, detail: string) => void;
