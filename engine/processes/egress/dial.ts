import { connect, type Socket } from "node:net";
import { type Address, addressText } from "./address.ts";

/** Begins a connection to exactly this address: no name is looked up on the way. Tests lead it to a server of theirs. */
export type Dial = (address: Address, port: number) => Socket;

export const dialed: Dial = (address, port) =>
  connect({ host: addressText(address), port, family: 4, autoSelectFamily: false, noDelay: true });
