// Simulates the internet for tests: addresses lead to servers of the test, and name servers give the answers of the
// test.

import { createServer, type Server, type Socket } from "node:net";
import { type Address, formatAddress } from "../../../lib/reach/address.ts";
import type { Exit } from "../request.ts";
import { createVault } from "../vault.ts";

export type OnConnection = (socket: Socket) => void;

export interface Internet extends AsyncDisposable {
  /**
   * The access to the network with which a request reaches the servers of the test. A name server, if there is one, is
   * at 192.0.2.53.
   */
  readonly exit: Exit;
  /** Dialled addresses and ports, in order. */
  readonly dialled: readonly string[];
}

const NAME_SERVER: Address = [192, 0, 2, 53];

/**
 * Creates an internet. `servers`: the servers by address and port, such as "1.2.3.4:80". An address without a server
 * refuses connections.
 */
export async function createInternet(servers: Readonly<Record<string, OnConnection>>): Promise<Internet> {
  const dialled: string[] = [];
  const listening = new Map<string, Server>();
  const sockets = new Set<Socket>();
  for (const [place, onConnection] of Object.entries(servers)) {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    listening.set(place, server);
  }
  const { connect } = await import("node:net");
  const dial = (address: Address, port: number): Socket => {
    const place = `${formatAddress(address)}:${port}`;
    dialled.push(place);
    const at = listening.get(place)?.address();
    // Use port 1 of this machine: no server listens there, and the system refuses at once.
    return connect({ host: "127.0.0.1", port: typeof at === "object" && at !== null ? at.port : 1 });
  };
  const exit: Exit = {
    dial,
    servers: [NAME_SERVER],
    now: () => Date.UTC(2026, 0, 1),
    vault: createVault(new Map(), Buffer.alloc(32, 7)),
    underWay: new Set(),
  };
  return {
    exit,
    dialled,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      for (const server of listening.values()) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a name server that answers each look-up with the result of `say`; `count` is the number of earlier look-ups. */
export function nameServer(say: (name: string, count: number) => readonly Address[]): OnConnection {
  let count = 0;
  return (socket) => {
    socket.on("data", (bytes) => {
      const query = bytes.subarray(2);
      const addresses = say(nameIn(query), count);
      count += 1;
      const answer = answerTo(query, addresses);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      socket.write(Buffer.concat([length, answer]));
    });
  };
}

/** Returns the answer to a query, with these addresses for the query's name. */
export function answerTo(query: Uint8Array, addresses: readonly Address[]): Buffer {
  const answer = Buffer.concat([query, ...addresses.map((address) => recordOf(1, Buffer.from(address)))]);
  answer.writeUInt16BE(0x8180, 2);
  answer.writeUInt16BE(addresses.length, 6);
  return answer;
}

/** Returns a DNS record of this type, for the name that the query asks about. */
export function recordOf(type: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, content.length), content]);
}

function nameIn(query: Uint8Array): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== undefined && query[at] !== 0; at += 1 + (query[at] ?? 0)) {
    labels.push(Buffer.from(query.subarray(at + 1, at + 1 + (query[at] ?? 0))).toString("latin1"));
  }
  return labels.join(".");
}

/**
 * Returns a server that waits for a client's first bytes, sends the same bytes to every client, and closes the
 * connection.
 */
export function serveText(text: string): OnConnection {
  return (socket) => socket.once("data", () => socket.end(text));
}
