import { connect, type Socket } from "node:net";
import { type Address, formatAddress } from "../../lib/reach/address.ts";

/**
 * Begins a connection to exactly this address, without resolving a name. Tests replace this function, to reach their
 * own server.
 */
export type Dial = (address: Address, port: number) => Socket;

export const dialAddress: Dial = (address, port) =>
  connect({ host: formatAddress(address), port, family: 4, autoSelectFamily: false, noDelay: true });
