// Connects to an endpoint of the page: resolves its name, checks the address, and dials that address.

import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Address, parseAddress } from "../../lib/reach/address.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Place } from "../../lib/wire/generated/egress.ts";
import { lookUp, type Ways } from "./resolve-name.ts";
import { type Judgement, secureConnection } from "./secure.ts";

/** The means to reach the network: dialing, name servers, and how certificates are checked. */
export interface NetworkAccess extends Judgement, Ways {
  /** If present, all connections go to this stand-in, and none to the network. Egress in an image has no stand-in. */
  readonly standIn?: StandIn;
  /** Name servers, in the order in which they are asked. */
  readonly servers: readonly Address[];
}

/**
 * Returns a connection on which a program of the same process answers as a server, without TLS. `capc try` answers from files with it.
 * Fails if nothing stands in for the server.
 */
export type StandIn = (place: Place) => Result<Duplex>;

export async function connectTo(
  place: Place,
  pins: readonly Uint8Array[],
  outside: NetworkAccess,
  signal: AbortSignal,
): Promise<Result<Duplex>> {
  if (outside.standIn !== undefined) return outside.standIn(place);
  const literal = parseAddress(place.host);
  // An address on the page is used as it is; a name is resolved at each request.
  const address = literal === undefined ? await lookUp(place.host, outside.servers, outside, signal) : accept(literal);
  if (!address.ok) return address;
  const tcp = outside.dial(address.value, place.port);
  const stop = (): void => void tcp.destroy();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  tcp.once("close", () => signal.removeEventListener("abort", stop));
  const opened = await open(tcp, place.host);
  if (!opened.ok) return signal.aborted ? refuse(`${place.host}: it took too long`) : opened;
  switch (place.scheme) {
    case "https":
      return secureConnection(tcp, { host: place.host, pins, judgement: outside, protocols: ["http/1.1"] });
    case "syslog+tls":
      return secureConnection(tcp, { host: place.host, pins, judgement: outside, protocols: [] });
    default:
      return opened;
  }
}

function open(tcp: Socket, host: string): Promise<Result<Socket>> {
  const { promise, resolve } = Promise.withResolvers<Result<Socket>>();
  tcp.once("connect", () => resolve(accept(tcp)));
  tcp.on("error", () => resolve(refuse(`${host}: it cannot be reached`)));
  tcp.once("close", () => resolve(refuse(`${host}: it cannot be reached`)));
  return promise;
}
