// A capability whose provider may die and restart: its holder keeps one connection while the stream behind it changes. No call is
// repeated, because a call under way when the old stream ended may have had its effect.

import type { Duplex } from "node:stream";
import { type Connection, connect, type OneStream } from "./connection.ts";
import type { ConnectionEnd } from "./frame.ts";

export class Renewable {
  #current: OneStream;
  #heed: ((why: ConnectionEnd) => void) | undefined;
  /** Connection that lasts as long as this process; its `closed` resolves when the current stream ends. */
  readonly connection: Connection;

  constructor(stream: Duplex) {
    this.#current = this.#openStream(stream);
    const getCurrent = () => this.#current;
    this.connection = {
      call: (method, params, options) => getCurrent().call(method, params, options),
      callTool: (interfaceId, method, json, options) => getCurrent().callTool(interfaceId, method, json, options),
      get closed() {
        return getCurrent().closed;
      },
      close: () => getCurrent().close(),
    };
  }

  /**
   * Replaces the stream. Calls that still wait on the old stream fail with `closed`; later calls use the new stream.
   */
  renew(stream: Duplex): void {
    const old = this.#current;
    this.#current = this.#openStream(stream);
    old.close();
  }

  /** Calls `heed` with the reason each time that the current stream has ended and is closed on this side. */
  onEnd(heed: (why: ConnectionEnd) => void): void {
    this.#heed = heed;
  }

  #openStream(stream: Duplex): OneStream {
    const closed = new Promise((resolve) => stream.once("close", resolve));
    const opened = connect(stream);
    void Promise.all([opened.ended, closed]).then(([why]) => {
      if (this.#current === opened) this.#heed?.(why);
    });
    return opened;
  }
}
