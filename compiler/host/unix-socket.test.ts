import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenAt } from "./unix-socket.ts";

let folder: string;
let path: string;
let stop: AbortController;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-socket-"));
  path = join(folder, "socket");
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  rmSync(folder, { recursive: true });
});

const sayHello = (peer: Socket) => void peer.end("hello");
const GROUP = process.getgid?.() ?? 0;

/**
 * Starts a server, and waits until it listens or has ended. Resolves with the result of the server when it has ended.
 */
async function listening(at = path, group?: string, serve = sayHello) {
  const ready = Promise.withResolvers<void>();
  const ended = listenAt(at, serve, { stop: stop.signal, ready: () => ready.resolve(), group });
  await Promise.race([ready.promise, ended]);
  return ended;
}

const said = (at = path) => text(connect(at));
const isThere = (at = path) => lstatSync(at, { throwIfNoEntry: false }) !== undefined;
/** Returns the result of a server that stops as soon as it listens. */
const refusal = async (at = path, group?: string) =>
  listenAt(at, sayHello, { stop: stop.signal, ready: () => stop.abort(), group });

test("only its user can connect to a socket, and the umask of the process stays unchanged", async () => {
  const mask = process.umask();
  void listening().catch(() => {});
  while (!isThere()) await turn();
  // The socket has these permissions from the moment that it exists.
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await said()).toBe("hello");
  expect(process.umask()).toBe(mask);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the socket is removed when its command ends, and clients are disconnected", async () => {
  const met = Promise.withResolvers<void>();
  const ended = listenAt(path, () => met.resolve(), { stop: stop.signal, ready: () => {} });
  while (!isThere()) await turn();
  const peer = connect(path);
  await met.promise;
  stop.abort();
  await once(peer, "close");
  expect(await ended).toEqual({ ok: true, value: undefined });
  expect(isThere()).toBe(false);
});

test("a group that is named by number or by name may connect", async () => {
  const name = readFileSync("/etc/group", "utf8")
    .split("\n")
    .find((line) => line.split(":")[2] === String(GROUP))
    ?.split(":")[0];
  for (const [index, group] of [String(GROUP), name ?? String(GROUP)].entries()) {
    const at = `${path}${index}`;
    void listening(at, group);
    while (!isThere(at) || (statSync(at).mode & 0o777) !== 0o660) await turn();
    expect(statSync(at)).toMatchObject({ gid: GROUP, uid: process.getuid?.() });
    expect(await said(at)).toBe("hello");
  }
});

test("an unknown group is refused before anything listens", async () => {
  expect(await refusal(path, "no-such-group")).toEqual({
    ok: false,
    reason: "there is no group no-such-group in /etc/group",
  });
  expect(isThere()).toBe(false);
});

test("a socket of a killed process is replaced", async () => {
  const program = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  expect(spawnSync(process.execPath, ["--eval", program]).signal).toBe("SIGKILL");
  expect(isThere()).toBe(true);
  void listening();
  while ((await said().catch(() => "")) !== "hello") await turn();
});

test("a socket in use is not replaced, and still exists after the second process has ended", async () => {
  void listening();
  while (!isThere()) await turn();
  const second = await listenAt(path, sayHello, { stop: new AbortController().signal, ready: () => {} });
  expect(second).toEqual({ ok: false, reason: `${path} is another process's` });
  expect(await said()).toBe("hello");
});

test.each([
  ["a file", () => writeFileSync(path, "mine")],
  ["a link to any target", () => symlinkSync(join(folder, "nowhere"), path)],
])("%s is not a socket, and is not changed", async (_, make) => {
  make();
  expect(await refusal()).toEqual({ ok: false, reason: `${path} is there, and is no socket` });
  expect(isThere()).toBe(true);
});

test("a path that is too long and a missing folder are refused in one sentence", async () => {
  const mask = process.umask();
  const long = join(folder, "x".repeat(108));
  expect(await refusal(long)).toEqual({
    ok: false,
    reason: `${long} is too long for a socket: it may have 107 bytes`,
  });
  expect(await refusal(join(folder, "missing", "socket"))).toEqual({
    ok: false,
    reason: `${join(folder, "missing")} does not exist`,
  });
  expect(process.umask()).toBe(mask);
});

test("the ninth client is disconnected, and the first eight clients stay connected", async () => {
  let served = 0;
  void listening(path, undefined, () => {
    served += 1;
  });
  while (!isThere()) await turn();
  const peers = Array.from({ length: 8 }, () => connect(path));
  while (served < 8) await turn();
  await once(connect(path).resume(), "close");
  expect(served).toBe(8);
  expect(peers.some((peer) => peer.destroyed)).toBe(false);
  for (const peer of peers) peer.destroy();
});

test("a server that is stopped before it listens does not listen", async () => {
  stop.abort();
  expect(await listening()).toEqual({ ok: true, value: undefined });
  expect(isThere()).toBe(false);
});
