// The capabilities of a process that runs inside this program. The same interface in an image is `openCapset`, which reads descriptors.

import type { Duplex } from "node:stream";
import { bug } from "../../engine/lib/result/bug.ts";
import type { Capset, IncomingGrant } from "../../engine/lib/wire/capset.ts";
import { Renewable } from "../../engine/lib/wire/renewable.ts";

/** Files and folders that a process was handed, by their names in the manifest. */
export interface Handed {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Descriptors of files that stand for partitions. */
  readonly partitions: ReadonlyMap<string, number>;
  /** Absolute path of its directory; absent if the manifest gives it none. */
  readonly directory: string | undefined;
}

export interface HostCapset {
  readonly capset: Capset;
  /** Adds a capability that the process holds; `stream` is its end. */
  readonly hold: (name: string, interfaceId: bigint, stream: Duplex) => void;
  /** Replaces the connection of a held capability, after its provider has restarted. */
  readonly renew: (name: string, stream: Duplex) => void;
  /** Passes a grant on this process. Grants wait until the process serves. */
  readonly receive: (grant: IncomingGrant) => void;
  /** Resolves when the process serves. */
  readonly ready: Promise<void>;
  /** Resolves when the process has finished what it does before its end. */
  readonly stop: () => Promise<void>;
}

/** Returns the capabilities of one process, to be filled before its program starts. */
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
