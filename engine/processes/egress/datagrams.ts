// Datagrams to one address at a time, for name servers that are not reached over TCP. Node sends datagrams only with
// sendmsg, which the jail forbids because it can pass descriptors. So datagrams are written to a socket that is
// connected to its one peer.

import { createSocket, type Socket } from "node:dgram";
import { write } from "node:fs";
import { type Address, formatAddress } from "../../lib/reach/address.ts";
import { bug } from "../../lib/result/bug.ts";

/** A datagram socket to one peer; the kernel accepts only that peer's datagrams. */
export interface DatagramLine {
  readonly send: (message: Uint8Array) => void;
  readonly close: () => void;
}

interface DatagramHeed {
  readonly heard: (message: Uint8Array) => void;
  /** Called if the peer does not accept datagrams, or the socket fails. */
  readonly failed: () => void;
}

/**
 * Opens a socket from a port that the kernel chooses at random. Tests replace this function, to reach their own server.
 */
export type OpenLine = (address: Address, port: number, heed: DatagramHeed) => Promise<DatagramLine>;

export const openDatagramLine: OpenLine = (address, port, { heard, failed }) => {
  const { promise, resolve } = Promise.withResolvers<DatagramLine>();
  const socket = createSocket("udp4");
  let isOpen = true;
  const close = (): void => {
    if (isOpen) socket.close();
    isOpen = false;
  };
  const line = {
    send: (message: Uint8Array) => {
      if (isOpen) write(getSocketDescriptor(socket), message, (error) => error && isOpen && failed());
    },
    close,
  };
  socket.on("message", (message) => heard(message));
  socket.on("error", () => {
    failed();
    resolve(line);
  });
  socket.connect(port, formatAddress(address), () => resolve(line));
  return promise;
};

/**
 * Returns the socket's descriptor, which Node keeps private. If a later version of Node stores the descriptor
 * elsewhere, a test fails.
 */
function getSocketDescriptor(socket: Socket): number {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "state symbol");
  const state: unknown = key === undefined ? undefined : Reflect.get(socket, key);
  const handle: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "handle") : undefined;
  const fd: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  return typeof fd === "number" && fd >= 0 ? fd : bug("Node's datagram socket has no descriptor");
}
