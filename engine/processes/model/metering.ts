// Serves a model to loops, and `Metering` to gates. A gate sends a permit for each answer, and the process of the model
// reports to the gate how many tokens the answer used.
import type { Duplex } from "node:stream";
import type { Capset } from "../../lib/wire/capset.ts";
import { Metering } from "../../lib/wire/generated/wire.ts";
import { implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { Permits } from "./permits.ts";

/** Maximum length of a nonce in bytes; a gate makes nonces of 16. */
const MAX_NONCE_BYTES = 64;

/**
 * The permits of every session, by the name of the session. Init's grant determines the session: `gate.S` issues the
 * permits that `loop.S` may use.
 */
export class SessionPermits {
  readonly #sessions = new Map<string, Permits>();

  /**
   * Returns the permits of the session to which the process `holder` belongs, such as `gate.NAME`. Returns `undefined`
   * if the process does not have the role `role`.
   */
  getPermits(holder: string, role: "gate" | "loop"): Permits | undefined {
    const [, session] = new RegExp(`^${role}\\.(.+)$`).exec(holder) ?? [];
    if (session === undefined) return undefined;
    const permits = this.#sessions.get(session) ?? new Permits();
    this.#sessions.set(session, permits);
    return permits;
  }
}

/** Serves the model to each loop, and `Metering` to each gate; both use the permits of their session. */
export function serveSessions(
  { onGrant }: Pick<Capset, "onGrant">,
  serveLoop: (stream: Duplex, permits: Permits) => Serving,
): void {
  const sessions = new SessionPermits();
  onGrant(({ stream, holder, interfaceId }) => {
    const isGates = interfaceId === Metering.id;
    const permits = sessions.getPermits(holder, isGates ? "gate" : "loop");
    // Only gates and loops may hold a model. A manifest that grants a model to another process is invalid, so close
    // the connection.
    if (permits === undefined) stream.destroy();
    else if (isGates) serveMetering(stream, permits);
    else serveLoop(stream, permits);
  });
}

/** Serves one gate. When the gate's connection ends, its permits are withdrawn. */
export function serveMetering(stream: Duplex, permits: Permits): Serving {
  const serving = serveInterface(stream, [
    implement(Metering, {
      allow: async ({ nonce, mostTokens, redactions }) => {
        const isNew = nonce.length <= MAX_NONCE_BYTES && permits.allowFromAfar(nonce, mostTokens, redactions);
        return isNew ? {} : makeFailure("failed", "the nonce is empty or too long, or was allowed before");
      },
      ended: async ({ nonce }) => {
        const usage = await permits.awaitUsage(nonce);
        return usage === undefined
          ? makeFailure("failed", "nothing is known of this nonce")
          : { usage, messages: permits.getRecords(nonce), masked: permits.getMasked(nonce) };
      },
      asked: async ({ nonce }) => {
        const most = await permits.awaitMostUsage(nonce);
        return most === undefined ? makeFailure("failed", "nothing is known of this nonce") : { most };
      },
      noted: async ({ nonce }) => {
        permits.acknowledgeUsage(nonce);
        return {};
      },
      withdraw: async ({ nonce }) => {
        permits.withdraw(nonce);
        return {};
      },
    }),
  ]);
  void serving.closed.then(() => permits.withdrawAll());
  return serving;
}
