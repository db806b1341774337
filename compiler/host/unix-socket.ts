// Listens at a socket of this machine for a command. Only the user who runs the command can connect and, if the
// command names a group, its members. The socket is removed when the command ends.

import { chmodSync, chownSync, existsSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";
import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { explainRefusal, readText } from "./files.ts";

/** Maximum number of simultaneous peers; further connections are closed. */
const MOST_PEERS = 8;

/** Maximum length in bytes of a socket's path on Linux, without the terminating zero byte. */
const MOST_PATH_BYTES = 107;

interface Listening {
  readonly stop: AbortSignal;
  readonly ready: () => void;
  /** Group whose members may connect too: a name or a number. */
  readonly group?: string | undefined;
}

/** Serves connections until `stop` fires; then it closes them and removes the socket. Fails if the socket cannot be made. */
export async function listenAt(
  path: string,
  serve: (peer: Socket) => void,
  { stop, ready, group }: Listening,
): Promise<Result<undefined>> {
  const shared = group === undefined ? undefined : groupFrom(group);
  if (shared?.ok === false) return shared;
  const why = await clearStaleSocket(path);
  if (why !== undefined) return { ok: false, reason: why };
  const peers = new Set<Socket>();
  // A peer that ends its side of the connection still waits for an answer.
  const server = createServer({ allowHalfOpen: true }, (peer) => {
    peers.add(peer);
    peer.once("close", () => peers.delete(peer));
    // An error of a peer needs no handling, because the peer's stream then ends.
    peer.on("error", () => {});
    serve(peer);
  });
  server.maxConnections = MOST_PEERS;
  const ended = Promise.withResolvers<Result<undefined>>();
  server.once("error", (error) => ended.resolve({ ok: false, reason: explainRefusal(path, error) }));
  server.once("close", () => ended.resolve({ ok: true, value: undefined }));
  const close = () => {
    for (const peer of peers) peer.destroy();
    server.close();
  };
  // The umask restricts the socket from its creation. If its permissions were changed later, anybody could connect before the change.
  const mask = process.umask(0o177);
  server.listen(path, () => {
    process.umask(mask);
    const fault = shared && shareWithGroup(path, shared.value);
    if (fault !== undefined) ended.resolve({ ok: false, reason: fault });
    if (stop.aborted || fault !== undefined) close();
    else ready();
  });
  server.once("error", () => process.umask(mask));
  stop.addEventListener("abort", close, { once: true });
  return ended.promise;
}

/**
 * Gives a group access to the socket: first sets the group, and then its permission, so that another group never has
 * access. Returns the reason if this fails.
 */
function shareWithGroup(path: string, group: number): string | undefined {
  try {
    chownSync(path, process.getuid?.() ?? 0, group);
    chmodSync(path, 0o660);
    return undefined;
  } catch (error) {
    return explainRefusal(path, error);
  }
}

function groupFrom(group: string): Result<number> {
  if (/^\d{1,9}$/.test(group)) return { ok: true, value: Number(group) };
  const read = readText("/etc/group");
  if (!read.ok) return read;
  const found = read.value.split("\n").find((line) => line.startsWith(`${group}:`));
  const [, , number = ""] = found?.split(":") ?? [];
  return /^\d+$/.test(number)
    ? { ok: true, value: Number(number) }
    : { ok: false, reason: `there is no group ${escapeInvisible(group)} in /etc/group` };
}

/** Removes a socket that a dead process left behind. Returns the reason if the path cannot be used. */
async function clearStaleSocket(path: string): Promise<string | undefined> {
  if (Buffer.byteLength(path) > MOST_PATH_BYTES)
    return `${path} is too long for a socket: it may have ${MOST_PATH_BYTES} bytes`;
  const there = lstatSync(path, { throwIfNoEntry: false });
  // If the folder did not exist, listening at the path would fail with a misleading "no permission".
  if (there === undefined) return existsSync(dirname(path)) ? undefined : `${dirname(path)} does not exist`;
  if (!there.isSocket()) return `${path} is there, and is no socket`;
  if (await isAnswered(path)) return `${path} is another process's`;
  rmSync(path);
  return undefined;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // ECONNREFUSED means that no process listens at the socket. After any other error, a running process may own the
    // socket, and be busy or refuse access.
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
}
