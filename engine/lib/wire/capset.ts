// Gives a process access to its capabilities from init: connections by name, sealed files, a directory, and the
// connections on which other processes call this process. A process has no other authority.

import { fstatSync, readSync } from "node:fs";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bug } from "../result/bug.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionEnd } from "./frame.ts";
import { FILE_LIMITS } from "./limits.ts";
import { Renewable } from "./renewable.ts";
import { readAnew, readInPlace } from "./reused-buffer.ts";

/** A connection on which another process holds a capability that this process serves. */
export interface IncomingGrant {
  readonly stream: Duplex;
  /** Number from init that identifies the grant. A statement of the peer about itself never identifies it. */
  readonly badge: bigint;
  readonly interfaceId: bigint;
  /** The process that holds the capability. */
  readonly holder: string;
  /** The holder's name for the capability. */
  readonly name: string;
}

export interface Capset {
  /** The process's own name, such as "gate.operator". */
  readonly name: string;
  /** Names of the capabilities held, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
  /**
   * Returns the connection to a held capability, always the same one. If the provider of the capability dies, calls fail with
   * `closed` until the provider has restarted; later calls go to the new provider. Calls in progress are not repeated.
   */
  readonly connection: (name: string) => Connection;
  /**
   * Calls `heed` with the reason each time that the connection to a capability ends, even if its provider is still
   * alive.
   */
  readonly onEnd: (name: string, heed: (why: ConnectionEnd) => void) => void;
  /** Returns the bytes of a granted file. */
  readonly file: (name: string) => Uint8Array;
  /** Returns the descriptor of a granted partition, or `undefined` if the machine has no data disk. */
  readonly partition: (name: string) => number | undefined;
  /** Returns the path of the granted directory. */
  readonly directory: (name: string) => string;
  /**
   * Calls the handler once for each connection on which another process may call this process. This includes the
   * connections that came before the handler was set.
   */
  readonly onGrant: (serveGrant: (grant: IncomingGrant) => void) => void;
  /** Reports to init that this process is ready to serve. */
  readonly ready: () => void;
  /**
   * Registers work that this process must finish before it ends at init's request; init waits only briefly. Without such work
   * the process ends at once.
   */
  readonly onStop: (finish: () => Promise<void>) => void;
}

/** Variables and functions of the process with which a capset talks to init; a test passes its own. */
export interface CapsetEnvironment {
  readonly env: {
    readonly CAPOS_NAME?: string | undefined;
    readonly CAPOS_GRANTS?: string | undefined;
    readonly CAPOS_FILES?: string | undefined;
  };
  readonly onMessage: (listener: (message: unknown, stream: unknown) => void) => void;
  readonly send: (message: { readonly capos: "ready" | "pong" }) => void;
  /** Exits the process in an orderly way. */
  readonly exit: () => void;
}

function getProcessSurroundings(): CapsetEnvironment {
  const { CAPOS_NAME, CAPOS_GRANTS, CAPOS_FILES } = process.env;
  return {
    env: { CAPOS_NAME, CAPOS_GRANTS, CAPOS_FILES },
    onMessage: (listener) => process.on("message", listener),
    send: (message) => process.send?.(message),
    exit: () => process.exit(0),
  };
}

/**
 * Reads the capabilities that init gave. Init is trusted: input that cannot be read is a defect, and ends the process before it serves.
 */
export function openCapset(surroundings: CapsetEnvironment = getProcessSurroundings()): Capset {
  const grants = parseEntries(surroundings.env.CAPOS_GRANTS, /^([\w.-]+)=(\d+):([0-9a-f]{1,16})$/);
  const files = parseEntries(surroundings.env.CAPOS_FILES, /^([\w.-]+)=(\d+)$/);
  const connections = new Map<string, Renewable>();
  const held = new Map([...grants].map(([name, { interfaceId }]) => [name, BigInt(`0x${interfaceId}`)]));
  const openRenewable = (name: string): Renewable => {
    const { fd } = grants.get(name) ?? bug(`no capability named ${name} was granted`);
    const known = connections.get(name) ?? new Renewable(readInPlace((onread) => new Socket({ fd, onread })));
    connections.set(name, known);
    return known;
  };
  let finish = async () => {};
  surroundings.onMessage((message, stream) => {
    const { capos, name, interfaceId } = getMessageFields(message);
    if (capos === "grant-again") {
      const again = checkRegrant(held, name, interfaceId);
      openRenewable(again).renew(getGrantedConnection(stream));
    }
    if (capos === "ping") surroundings.send({ capos: "pong" });
    if (capos === "stop") void finish().then(surroundings.exit, surroundings.exit);
  });
  return {
    name: surroundings.env.CAPOS_NAME ?? bug("CAPOS_NAME is not set"),
    held,
    connection: (name) => openRenewable(name).connection,
    onEnd: (name, heed) => openRenewable(name).onEnd(heed),
    file: (name) => readGrantedFile((files.get(name) ?? bug(`no file named ${name} was granted`)).fd),
    partition: (name) => files.get(name)?.fd,
    directory: () => GRANTED_DIRECTORY,
    onGrant: receiveGrants(surroundings),
    ready: () => surroundings.send({ capos: "ready" }),
    onStop: (given) => {
      finish = given;
    },
  };
}

/** Returns `name`; throws if the process did not already hold a capability of this name with this interface. */
function checkRegrant(held: ReadonlyMap<string, bigint>, name: unknown, interfaceId: unknown): string {
  if (typeof name !== "string" || held.get(name)?.toString(16) !== interfaceId) {
    return bug(`init granted ${String(name)} again, which was not held`);
  }
  return name;
}

/** Init binds a process's one directory to this path, in the process's own view of the files. */
const GRANTED_DIRECTORY = "/data";

interface Entry {
  readonly fd: number;
  readonly interfaceId: string;
}

function parseEntries(text: string | undefined, form: RegExp): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const part of text === undefined || text === "" ? [] : text.split(",")) {
    const [, name, fd, interfaceId = ""] = form.exec(part) ?? bug(`init gave a grant that cannot be read: ${part}`);
    if (name === undefined || entries.has(name)) bug(`init gave two grants of the name ${name}`);
    entries.set(name, { fd: Number(fd), interfaceId });
  }
  return entries;
}

/** Returns the whole file behind a descriptor, whatever the position of the descriptor in the file is. */
function readGrantedFile(fd: number): Uint8Array {
  const { size } = fstatSync(fd);
  if (size > FILE_LIMITS.bytes) bug(`a file of ${size} bytes was granted; at most ${FILE_LIMITS.bytes} are read`);
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(fd, bytes, filled, size - filled, filled);
    if (read === 0) bug(`a granted file ended after ${filled} of ${size} bytes`);
    filled += read;
  }
  return bytes;
}

function receiveGrants(surroundings: CapsetEnvironment): Capset["onGrant"] {
  const early: IncomingGrant[] = [];
  let serveGrant: ((grant: IncomingGrant) => void) | undefined;
  surroundings.onMessage((message, stream) => {
    const grant = grantIn(message, stream);
    if (grant === undefined) return;
    if (serveGrant === undefined) {
      // Do not read from this new connection before the program has passed its handler to `onGrant`.
      grant.stream.pause();
      early.push(grant);
    } else serveGrant(grant);
  });
  return (serveOne) => {
    serveGrant = serveOne;
    for (const grant of early.splice(0)) {
      serveOne(grant);
      grant.stream.resume();
    }
  };
}

function grantIn(message: unknown, stream: unknown): IncomingGrant | undefined {
  const { capos, badge, interfaceId, holder, name } = getMessageFields(message);
  if (capos !== "grant") return undefined;
  const connection = getGrantedConnection(stream);
  if (typeof badge !== "string" || typeof interfaceId !== "string" || !/^[0-9a-f]{1,16}$/.test(interfaceId)) {
    return bug("init sent a grant without badge or interface");
  }
  return {
    stream: connection,
    badge: BigInt(badge),
    interfaceId: BigInt(`0x${interfaceId}`),
    holder: String(holder),
    name: String(name),
  };
}

/** Returns the connection that came with a message from init. */
function getGrantedConnection(stream: unknown): Socket {
  return readAnew(stream instanceof Socket ? stream : bug("init sent a grant without its connection"));
}

type GrantField = "capos" | "badge" | "interfaceId" | "holder" | "name";

function getMessageFields(message: unknown): { readonly [K in GrantField]?: unknown } {
  return typeof message === "object" && message !== null ? message : {};
}
