// Implements the capabilities of a process that runs inside this program. In an image, `openCapset` implements the same
// interface and reads descriptors.

import type { Duplex } from "node:stream";
import { bug } from "../../engine/lib/result/bug.ts";
import type { Capset, IncomingGrant } from "../../engine/lib/wire/capset.ts";
import { Renewable } from "../../engine/lib/wire/renewable.ts";

/** Files and folders that a process receives at its start, by their names in the manifest. */
export interface Handed {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Descriptors of files that replace disk partitions. */
  readonly partitions: ReadonlyMap<string, number>;
  /** Absolute path of the process's directory; `undefined` if the manifest gives it none. */
  readonly directory: string | undefined;
}

export interface HostCapset {
  readonly capset: Capset;
  /** Adds a capability of the process; `stream` is the process's end of the connection. */
  readonly hold: (name: string, interfaceId: bigint, stream: Duplex) => void;
  /** Replaces the connection of a capability after the provider has restarted. */
  readonly renew: (name: string, stream: Duplex) => void;
  /** Passes the process a new connection of a client. Connections wait until the process is ready to serve them. */
  readonly receive: (grant: IncomingGrant) => void;
  /** Resolves when the process is ready. */
  readonly ready: Promise<void>;
  /** Lets the process do its last work, and resolves when the work is done. */
  readonly stop: () => Promise<void>;
}

/** Returns an empty set of capabilities for a process. The caller must add capabilities before the process starts. */
export function createHostCapset(process: string, handed: Handed): HostCapset {
  const held = new Map<string, Renewable>();
  const interfaces = new Map<string, bigint>();
  const early: IncomingGrant[] = [];
  let serveGrant: ((grant: IncomingGrant) => void) | undefined;
  let finish = async () => {};
  const ready = Promise.withResolvers<void>();
  const getHeld = (name: string): Renewable => held.get(name) ?? bug(`${process} holds no capability named ${name}`);
  const capset: Capset = {
    name: process,
    held: interfaces,
    connection: (name) => getHeld(name).connection,
    onEnd: (name, heed) => getHeld(name).onEnd(heed),
    file: (name) => handed.files.get(name) ?? bug(`${process} was handed no file named ${name}`),
    partition: (name) => handed.partitions.get(name),
    directory: () => handed.directory ?? "",
    onGrant: (serveOne) => {
      serveGrant = serveOne;
      for (const grant of early.splice(0)) serveOne(grant);
    },
    ready: () => ready.resolve(),
    onStop: (given) => {
      finish = given;
    },
  };
  return {
    capset,
    hold: (name, interfaceId, stream) => {
      interfaces.set(name, interfaceId);
      held.set(name, new Renewable(stream));
    },
    renew: (name, stream) => getHeld(name).renew(stream),
    receive: (grant) => (serveGrant === undefined ? void early.push(grant) : serveGrant(grant)),
    ready: ready.promise,
    stop: () => finish(),
  };
}
