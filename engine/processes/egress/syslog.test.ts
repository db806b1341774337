// Tests honest and hostile syslog collectors, and a holder that tries to send other data or to send to another server.

import { duplexPair } from "node:stream";
import { createServer, type TLSSocket } from "node:tls";
import { afterEach, expect, test, vi } from "vitest";
import { Egress, type Endpoint, SyslogExit } from "../../lib/wire/generated/egress.ts";
import { Fetch, HttpEndpoint } from "../../lib/wire/generated/tools.ts";
import { connect, encodeMessage } from "../../lib/wire/index.ts";
import { readEndpoints } from "./endpoints.ts";
import { serveAny } from "./faces.ts";
import type { Exit } from "./request.ts";
import { createIdentity } from "./testing/certificate.ts";
import { makeEndpoint } from "./testing/holder.ts";
import { createInternet, nameServer, type OnConnection } from "./testing/internet.ts";

const NAME = "logs.example.net";
const PLAIN = makeEndpoint({ scheme: "syslog", host: NAME, port: 601 });
const MESSAGES = ["<110>1 - a b c d - one", "<108>1 - a b c d - the other"];
const FRAMES = `22 ${MESSAGES[0]}28 ${MESSAGES[1]}`;
const names = nameServer(() => [[93, 184, 216, 34]]);

async function sent(endpoint: Endpoint, exit: Exit, messages: readonly string[] = MESSAGES) {
  const [here, there] = duplexPair();
  if (serveAny(there, SyslogExit.id, endpoint, exit) === undefined) throw new Error("it is not served");
  const reply = await connect(here).call(SyslogExit.methods.send, { messages });
  return reply.ok ? "sent" : reply.reason;
}

/** Returns the result of two messages to this collector. */
async function meets(collector: OnConnection, endpoint = PLAIN) {
  await using net = await createInternet({ "192.0.2.53:53": names, "93.184.216.34:601": collector });
  return await sent(endpoint, net.exit);
}

const listening =
  (heard: string[]): OnConnection =>
  (socket) =>
    void socket.on("data", (bytes) => heard.push(bytes.toString("latin1")));

test("sends messages with length prefixes over one connection, and waits until the collector closes its side", async () => {
  const heard: string[] = [];
  expect([await meets(listening(heard)), heard.join("")]).toEqual(["sent", FRAMES]);
});

test("checks a collector's certificate like any other server's", async () => {
  const root = createIdentity({ name: "a root of this test" });
  const [honest, other] = [
    createIdentity({ name: NAME, by: root }),
    createIdentity({ name: "evil.example.net", by: root }),
  ];
  for (const [shown, said] of [
    [honest, "sent"],
    [other, `${NAME}: no secure connection: ERR_TLS_CERT_ALTNAME_INVALID`],
  ] as const) {
    const heard: string[] = [];
    const server = createServer({ key: shown.keyText, cert: shown.certificate });
    server.on("secureConnection", (socket: TLSSocket) => listening(heard)(socket));
    server.on("tlsClientError", () => {});
    await using net = await createInternet({
      "192.0.2.53:53": names,
      "93.184.216.34:6514": (socket) => server.emit("connection", socket),
    });
    const exit = { ...net.exit, roots: [root.certificate] };
    const endpoint = makeEndpoint({ scheme: "syslog+tls", host: NAME, port: 6514 });
    expect(await sent(endpoint, exit)).toBe(said);
    expect(heard.join("")).toBe(said === "sent" ? FRAMES : "");
  }
});

afterEach(() => {
  vi.useRealTimers();
});

const open: OnConnection = (socket) => {
  socket.allowHalfOpen = true;
};

test.each<[what: string, collector: OnConnection, said: RegExp]>([
  [
    "hangs up at once",
    (socket) => socket.resetAndDestroy(),
    /^logs.example.net: (the connection broke off|it hung up|it cannot be reached)/,
  ],
  // A collector without free connections accepts a connection and closes it at once. It stores none of the messages.
  ["is full and closes the connection", (socket) => socket.destroy(), /it hung up before it had everything|broke off/],
  ["ends its side before ours", (socket) => socket.pause().end(), /it hung up before it had everything/],
  [
    "sends without an end",
    (socket) => socket.on("error", () => {}).write("x".repeat(100_000)),
    /it says more than a collector/,
  ],
])("treats messages as unsent if a collector %s", async (_, collector, said) => {
  // With these timers our side never closes first, so a close of the collector counts as too early, however late this process handles it.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  expect(await meets(collector)).toMatch(said);
});

test("a collector that never closes its side counts as failed after the page's timeout", async () => {
  expect(await meets(open, { ...PLAIN, milliseconds: 2000 })).toBe("logs.example.net: it took too long");
});

test("does not dial a name that resolves to a private address", async () => {
  await using net = await createInternet({ "192.0.2.53:53": nameServer(() => [[10, 1, 2, 3]]) });
  expect(await sent(PLAIN, net.exit)).toContain("leads to 10.1.2.3, which is private");
  expect(net.dialled).toEqual(["192.0.2.53:53"]);
});

test("sends only messages of RFC 5424, and no other protocol", async () => {
  await using net = await createInternet({});
  const [one = ""] = MESSAGES;
  for (const messages of [
    [],
    ["GET / HTTP/1.1"],
    [`${one}\r\nEHLO x`],
    [`${one}\n<110>1 - a b c d - two`],
    [`${one}\u0000`],
    [`${one}\u00e9`],
    [`${one}${"x".repeat(2048)}`],
    Array.from({ length: 65 }, () => one),
  ])
    expect(await sent(PLAIN, net.exit, messages)).toContain("messages of RFC 5424 are sent here");
  expect(net.dialled).toEqual([]);
});

test("serves no web requests through a collector, and no syslog through a web endpoint", async () => {
  await using net = await createInternet({});
  const served = (interfaceId: bigint, endpoint: Endpoint) =>
    serveAny(duplexPair()[0], interfaceId, endpoint, net.exit);
  for (const id of [HttpEndpoint.id, Fetch.id]) expect(served(id, PLAIN)).toBeUndefined();
  expect(served(SyslogExit.id, makeEndpoint())).toBeUndefined();
});

test("refuses a table whose collector has several addresses or a credential", () => {
  const read = (endpoint: Endpoint) => {
    const table = { schemaVersion: 1, endpoints: [endpoint], holders: [{ badge: 1n, endpoint: 0 }], secrets: [] };
    return readEndpoints(encodeMessage(Egress, table)).ok;
  };
  const [place] = PLAIN.places;
  if (place === undefined) throw new Error("no place");
  expect(read(PLAIN)).toBe(true);
  for (const odd of [
    { ...PLAIN, places: [place, place] },
    { ...PLAIN, places: [{ ...place, host: "*" }] },
    { ...PLAIN, places: [{ ...place, port: 0 }] },
    { ...PLAIN, places: [place, makeEndpoint().places[0] ?? place] },
    { ...PLAIN, secret: "house" },
    makeEndpoint({ scheme: "ftp" }),
  ])
    expect(read(odd)).toBe(false);
});
