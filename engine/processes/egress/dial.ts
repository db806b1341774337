import { connect, type Socket } from "node:net";
import { type Address, formatAddress } from "./address.ts";

/** Begins a connection to exactly this address: no name is looked up on the way. Tests lead it to a server of theirs. */
export type Dial = (address: Address, port: number) => Socket;

export const dialAddress: Dial = (address, port) =>
  connect({ host: formatAddress(address), port, family: 4, autoSelectFamily: false, noDelay: true });
