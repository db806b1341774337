// Asks init to restart providers that still run, but no longer serve the session. Init restarts such a provider within
// the limits of the manifest, and gives this gate a new connection to it.

import { Supervisor } from "../../lib/wire/generated/wire.ts";
import type { ConnectionEnd } from "../../lib/wire/index.ts";
import type { Neighbour } from "./ports.ts";
import { excerpt } from "./result.ts";

/** The parts of a gate that `watchProviders` uses. */
interface Tending {
  /** Calls `heed` each time that the connection to a service ends. */
  readonly onEnd: (service: string, heed: (why: ConnectionEnd) => void) => void;
  readonly supervisor: Neighbour;
  /** Records an event of the session. */
  readonly note: (event: string, detail: string) => void;
}

/**
 * Asks init to restart a service's provider each time that the connection to it ends. Init restarts the provider only if it still
 * runs. Init needs no request after the death of the provider, the revocation of the grant, or the opening of a new connection.
 */
export function watchProviders(services: readonly string[], { onEnd, supervisor, note }: Tending): void {
  for (const service of services) {
    onEnd(service, ({ fault, reason }) => {
      if (fault) note("cut off", excerpt(`${service}: ${reason}`));
      void supervisor.call(Supervisor.methods.restart, { name: service });
    });
  }
}
