// A capability whose provider may die and be restarted: its holder keeps one connection, behind which the stream changes. No call is
// repeated: one that was under way when the old stream ended may have had its effect.

import type { Duplex } from "node:stream";
import { type Connection, connect, type OneStream } from "./connection.ts";
import type { ConnectionEnd } from "./frame.ts";

export class Renewable {
  #current: OneStream;
  #heed: ((why: ConnectionEnd) => void) | undefined;
  /** Connection that lasts as long as this process; `closed` is that of the current stream. */
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

  /** Calls that wait on the old stream fail with `closed`, if its end was not seen yet; later ones go over this one. */
  renew(stream: Duplex): void {
    const old = this.#current;
    this.#current = this.#openStream(stream);
    old.close();
  }

  /** Calls `heed` whenever the stream of the moment has ended and is closed on this side, with why it ended. */
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
