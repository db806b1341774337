// A socket of this machine that a command listens at: its own user's alone, and gone when the command ends.

import { lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import type { FileRead } from "./files.ts";
import { whyNot } from "./files.ts";

/** At once; who comes after them is let go. */
const MOST_PEERS = 8;

/** Serves whoever connects until `stop` fires; then all of them are let go, and the socket is gone. */
export async function listenAt(
  path: string,
  serve: (peer: Socket) => void,
  { stop, ready }: { readonly stop: AbortSignal; readonly ready: () => void },
): Promise<FileRead<undefined>> {
  const why = await whyNotFree(path);
  if (why !== undefined) return { ok: false, reason: why };
  const peers = new Set<Socket>();
  // Who ends his side waits for an answer.
  const server = createServer({ allowHalfOpen: true }, (peer) => {
    peers.add(peer);
    peer.once("close", () => peers.delete(peer));
    // What a peer does to its end is told by its stream's end.
    peer.on("error", () => {});
    serve(peer);
  });
  server.maxConnections = MOST_PEERS;
  const ended = Promise.withResolvers<FileRead<undefined>>();
  server.once("error", (error) => ended.resolve({ ok: false, reason: whyNot(path, error) }));
  server.once("close", () => ended.resolve({ ok: true, value: undefined }));
  const close = () => {
    for (const peer of peers) peer.destroy();
    server.close();
  };
  // Made with these rights: between listening and a later change anybody could connect.
  const mask = process.umask(0o177);
  server.listen(path, () => {
    process.umask(mask);
    if (stop.aborted) close();
    else ready();
  });
  server.once("error", () => process.umask(mask));
  stop.addEventListener("abort", close, { once: true });
  return ended.promise;
}

/** A socket that nobody answers at was left there by a process that died, and is taken away. */
async function whyNotFree(path: string): Promise<string | undefined> {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return undefined;
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
    // Any other error is of somebody who is there, and busy or not for us.
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "ECONNREFUSED"));
  });
}
