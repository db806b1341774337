// Tests name resolution over UDP, with real datagrams between the resolver and a test server on the loopback interface.

import { createSocket, type Socket as Datagrams, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { Duplex } from "node:stream";
import { afterEach, expect, test } from "vitest";
import type { Address } from "../../lib/reach/address.ts";
import { type OpenLine, openDatagramLine } from "./datagrams.ts";
import type { Dial } from "./dial.ts";
import { lookUp } from "./resolve-name.ts";
import { answerTo } from "./testing/internet.ts";

const SERVER: Address = [192, 0, 2, 53];
const LOOPBACK: Address = [127, 0, 0, 1];
const HOST: Address = [93, 184, 216, 34];
const NEVER = new AbortController().signal;

let servers: Datagrams[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

/** Returns a datagram path to a name server; `say` returns the server's datagrams for each query, in order. */
async function overDatagrams(say: (query: Buffer, count: number) => readonly Uint8Array[]) {
  const server = createSocket("udp4").bind(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const heard: Buffer[] = [];
  const peers = new Set<number>();
  server.on("message", (query, { port, address }: RemoteInfo) => {
    heard.push(query);
    peers.add(port);
    for (const answer of say(query, heard.length)) server.send(answer, port, address);
  });
  const openLine: OpenLine = (_, __, heed) => openDatagramLine(LOOPBACK, server.address().port, heed);
  return { openLine, heard, peers };
}

/** Returns connections that are refused, or that never get an answer. */
function connections(isRefused: boolean): Dial {
  return () => {
    const socket = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() });
    if (isRefused) queueMicrotask(() => socket.destroy(new Error("refused")));
    return socket as ReturnType<Dial>;
  };
}

test.each([
  ["refuses", true],
  ["ignores", false],
])("asks a name server over UDP if it %s connections", async (_, isRefused) => {
  const { openLine, heard } = await overDatagrams((query) => [answerTo(query, [HOST])]);
  const found = await lookUp("example.org", [SERVER], { dial: connections(isRefused), openLine }, NEVER);
  expect([found, heard.length]).toEqual([{ ok: true, value: HOST }, 1]);
});

test("repeats a lost datagram with the same question from the same port", async () => {
  const { openLine, heard, peers } = await overDatagrams((query, count) =>
    count === 1 ? [] : [answerTo(query, [HOST])],
  );
  const found = await lookUp("example.org", [SERVER], { dial: connections(true), openLine }, NEVER);
  expect([found.ok, heard.length, peers.size]).toEqual([true, 2, 1]);
  expect(heard[0]?.equals(heard[1] ?? Buffer.alloc(0))).toBe(true);
});

test("ignores datagrams that answer another question, and malformed ones", async () => {
  const forged = (query: Buffer) => {
    const other = Buffer.from(answerTo(query, [[6, 6, 6, 6]]));
    other.writeUInt16BE((query.readUInt16BE(0) + 1) & 0xffff, 0);
    return other;
  };
  const { openLine } = await overDatagrams((query) => [
    forged(query),
    Buffer.from("no DNS"),
    query,
    answerTo(query, [HOST]),
  ]);
  const found = await lookUp("example.org", [SERVER], { dial: connections(true), openLine }, NEVER);
  expect(found).toEqual({ ok: true, value: HOST });
});

test("gives up on a name server that sends endless wrong datagrams", async () => {
  const { openLine } = await overDatagrams(() => Array.from({ length: 100 }, () => Buffer.from("no DNS")));
  const found = await lookUp("example.org", [SERVER], { dial: connections(true), openLine }, NEVER);
  expect(found).toEqual({ ok: false, reason: "example.org: too many datagrams answer another question" });
});

test("checks answers over UDP like those over TCP", async () => {
  const inside: Address = [10, 0, 0, 1];
  const { openLine } = await overDatagrams((query) => [answerTo(query, [HOST, inside])]);
  const found = await lookUp("example.org", [SERVER], { dial: connections(true), openLine }, NEVER);
  expect(found).toMatchObject({ ok: false, reason: expect.stringContaining("leads to 10.0.0.1") });
  const cut = (query: Buffer) => {
    const answer = answerTo(query, [HOST]);
    answer.writeUInt16BE(answer.readUInt16BE(2) | 0x0200, 2);
    return answer;
  };
  const short = await overDatagrams((query) => [cut(query)]);
  const half = await lookUp("example.org", [SERVER], { dial: connections(true), openLine: short.openLine }, NEVER);
  expect(half).toMatchObject({ ok: false, reason: "example.org: the name server's answer is cut" });
});

test("reports a name server that answers neither over TCP nor over UDP as unreachable", async () => {
  const closed = createSocket("udp4").bind(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address();
  closed.close();
  const openLine: OpenLine = (_, __, heed) => openDatagramLine(LOOPBACK, port, heed);
  const found = await lookUp("example.org", [SERVER], { dial: connections(true), openLine }, NEVER);
  expect(found).toEqual({ ok: false, reason: "example.org: the name server cannot be reached" });
});

test("sends no datagram to a name server that has answered over TCP", async () => {
  const { openLine, heard } = await overDatagrams((query) => [answerTo(query, [HOST])]);
  const dial: Dial = () => {
    const socket: Duplex = new Duplex({
      read: () => {},
      write: (bytes: Buffer, _encoding, done) => {
        const answer = answerTo(bytes.subarray(2), [HOST]);
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.push(Buffer.concat([length, answer]));
        done();
      },
    });
    return socket as ReturnType<Dial>;
  };
  const found = await lookUp("example.org", [SERVER], { dial, openLine }, NEVER);
  expect([found, heard]).toEqual([{ ok: true, value: HOST }, []]);
});
