// The gate's interface to a model: it sends permits and receives usage.
import type { Duplex } from "node:stream";
import type { Capset } from "../../lib/wire/capset.ts";
import { Metering } from "../../lib/wire/generated/wire.ts";
import { implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { Permits } from "./permits.ts";

/** Maximum length of a nonce in bytes; gates use 16 bytes. */
const MAX_NONCE_BYTES = 64;

/**
 * The permits of all sessions, by the session's name. The grant from init determines the session: `gate.S` issues the permits that `loop.S`
 * may use.
 */
export class SessionPermits {
  readonly #sessions = new Map<string, Permits>();

  /** Returns the permits for a holder's name, or `undefined` if it is neither the loop nor the gate of a session. */
  getPermits(holder: string, role: "gate" | "loop"): Permits | undefined {
    const [, session] = new RegExp(`^${role}\\.(.+)$`).exec(holder) ?? [];
    if (session === undefined) return undefined;
    const permits = this.#sessions.get(session) ?? new Permits();
    this.#sessions.set(session, permits);
    return permits;
  }
}

/** Serves the model to each loop and Metering to each gate, both with the permits of their session. */
export function serveSessions(
  { onGrant }: Pick<Capset, "onGrant">,
  serveLoop: (stream: Duplex, permits: Permits) => Serving,
): void {
  const sessions = new SessionPermits();
  onGrant(({ stream, holder, interfaceId }) => {
    const isGates = interfaceId === Metering.id;
    const permits = sessions.getPermits(holder, isGates ? "gate" : "loop");
    // No other process may have access to a model, so a manifest that grants it is invalid.
    if (permits === undefined) stream.destroy();
    else if (isGates) serveMetering(stream, permits);
    else serveLoop(stream, permits);
  });
}

/** Serves one gate. When its connection ends, its permits are withdrawn. */
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
