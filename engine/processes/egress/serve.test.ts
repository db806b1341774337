// Tests attacks by hostile servers and a hostile caller, each against the real endpoints over real connections.

import { createServer } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AT, createFetcher, holdEndpoint, makeEndpoint } from "./testing/holder.ts";
import { createInternet, nameServer, serveText } from "./testing/internet.ts";

const PUBLIC = [93, 184, 216, 34] as const;
const NAMES = { "192.0.2.53:53": nameServer(() => [PUBLIC]) };
const OK = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";
const bodyIn = (json: string): unknown => JSON.parse(json).response;

/** Returns a server's answer as the holder of an endpoint gets it; the server is at the address `PUBLIC`. */
async function said(text: string, over = {}) {
  await using net = await createInternet({ ...NAMES, "93.184.216.34:80": serveText(text) });
  return await holdEndpoint(makeEndpoint({}, over), net.exit).get("/");
}

test("returns status, content type and body, and sends the server only the necessary headers", async () => {
  const heard: string[] = [];
  const serve = (socket: Socket): void => {
    socket.on("data", (bytes) => heard.push(bytes.toString()));
    serveText(OK)(socket);
  };
  await using net = await createInternet({ ...NAMES, "93.184.216.34:80": serve });
  const reply = await holdEndpoint(makeEndpoint(), net.exit).get("/a?b=c");
  expect(reply).toEqual({
    ok: true,
    value: '{"response":{"body":"hello","contentType":"text/plain","location":"","status":200}}',
  });
  expect(heard.join("")).toBe(
    "GET /a?b=c HTTP/1.1\r\nhost: status.example.net\r\naccept: */*\r\naccept-encoding: identity\r\n" +
      "user-agent: capos-egress\r\nconnection: close\r\n\r\n",
  );
  expect(net.dialled).toEqual(["192.0.2.53:53", "93.184.216.34:80"]);
});

test("posts a body with its length and content type", async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.headers["content-type"]}`);
    request.on("data", (bytes: Buffer) => heard.push(bytes.toString()));
    request.on("end", () => response.end("done"));
  });
  await using net = await createInternet({
    ...NAMES,
    "93.184.216.34:80": (socket) => server.emit("connection", socket),
  });
  const holder = holdEndpoint(makeEndpoint(), net.exit);
  const reply = await holder.call(1, { path: "/x", contentType: "text/plain", body: "é" });
  expect(reply.ok && bodyIn(reply.value)).toMatchObject({ status: 200, body: "done" });
  expect(heard).toEqual(["POST text/plain", "é"]);
});

test("checks the page's list of servers before it looks up a name", async () => {
  await using net = await createInternet(NAMES);
  const fetch = createFetcher(makeEndpoint({}, { places: [AT] }), net.exit);
  expect(await fetch("http://secret-in-a-name.evil.example/")).toMatchObject({ ok: false });
  expect(await holdEndpoint(makeEndpoint({ path: "/api" }), net.exit).get("/admin")).toMatchObject({ ok: false });
  expect(net.dialled).toEqual([]);
});

test("refuses a name with a non-public address before it dials", async () => {
  for (const address of [
    [127, 0, 0, 1],
    [169, 254, 169, 254],
    [10, 0, 2, 2],
    [100, 64, 0, 1],
    [224, 0, 0, 1],
  ] as const) {
    // A bad address beside a good one suggests that an attacker added it.
    await using net = await createInternet({ "192.0.2.53:53": nameServer(() => [PUBLIC, address]) });
    const reply = await holdEndpoint(makeEndpoint(), net.exit).get("/");
    expect(reply).toMatchObject({
      ok: false,
      reason: expect.stringContaining(`leads to ${address.join(".")}, which is`),
    });
    expect(net.dialled).toEqual(["192.0.2.53:53"]);
  }
});

test("looks up the name for each request and dials the address that it checked, despite DNS rebinding", async () => {
  const rebinding = nameServer((_, count) => [count === 0 ? PUBLIC : ([127, 0, 0, 1] as const)]);
  await using net = await createInternet({
    "192.0.2.53:53": rebinding,
    "93.184.216.34:80": serveText(OK),
    "127.0.0.1:80": serveText(OK),
  });
  const holder = holdEndpoint(makeEndpoint(), net.exit);
  expect((await holder.get("/")).ok).toBe(true);
  expect(await holder.get("/")).toMatchObject({ ok: false, reason: expect.stringContaining("leads to 127.0.0.1") });
  expect(net.dialled).toEqual(["192.0.2.53:53", "93.184.216.34:80", "192.0.2.53:53"]);
});

test("dials an address that the page names, even a private address", async () => {
  await using net = await createInternet({ "10.0.2.2:8080": serveText(OK) });
  expect((await holdEndpoint(makeEndpoint({ host: "10.0.2.2", port: 8080 }), net.exit).get("/")).ok).toBe(true);
  expect(net.dialled).toEqual(["10.0.2.2:8080"]);
});

test("returns a redirect as a result, and does not follow it", async () => {
  const reply = await said(
    "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/latest\r\nContent-Length: 0\r\n\r\n",
  );
  expect(reply.ok && bodyIn(reply.value)).toEqual({
    status: 302,
    location: "http://169.254.169.254/latest",
    contentType: "",
    body: "",
  });
});

test("callers cannot set a host, a credential or a header, or insert a line break", async () => {
  await using net = await createInternet({ ...NAMES, "93.184.216.34:80": serveText(OK) });
  const holder = holdEndpoint(makeEndpoint(), net.exit);
  for (const args of [
    { path: "/", host: "evil" },
    { path: "/", authorization: "x" },
    { path: "/", headers: {} },
    { path: "/\r\nHost: evil" },
    { path: 5 },
    {},
    { path: "/", body: "on a GET" },
  ]) {
    expect(await holder.call(0, args), JSON.stringify(args)).toMatchObject({ ok: false, code: "failed" });
  }
  for (const contentType of ["text/plain\r\nX: y", "text", "", "text/plain; a=b; c=d", "te xt/plain", "text/plain\0"]) {
    const reply = await holder.call(1, { path: "/", contentType, body: "" });
    expect(reply, contentType).toMatchObject({ ok: false, reason: "this is no content type" });
  }
  expect(await holder.call(2, { path: "/" })).toMatchObject({ ok: false, code: "unknownMethod" });
  expect(net.dialled).toEqual([]);
});

test("cuts off an answer larger than the page allows, and returns no part of it", async () => {
  const large = "x".repeat(5000);
  const why = { ok: false, reason: "status.example.net: the answer is larger than 4096 bytes" };
  expect(await said(`HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n${large}`)).toMatchObject(why);
  expect(await said(`HTTP/1.1 200 OK\r\n\r\n${large}`)).toMatchObject(why);
  expect(
    await said(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1388\r\n${large}\r\n0\r\n\r\n`),
  ).toMatchObject(why);
  await using net = await createInternet(NAMES);
  const sent = await holdEndpoint(makeEndpoint(), net.exit).call(1, {
    path: "/",
    contentType: "text/plain",
    body: large,
  });
  expect(sent).toMatchObject({ ok: false, reason: "at most 1024 bytes may be sent here" });
  expect(net.dialled).toEqual([]);
});

test("ends the connection to a server that sends an endless body, header or series of interim answers", async () => {
  const endless =
    (piece: string, first = "HTTP/1.1 200 OK\r\n") =>
    (socket: Socket): void => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.once("data", () => {
        socket.write(first);
        more();
      });
      socket.on("drain", more);
    };
  for (const [server, why] of [
    [endless("x".repeat(1000), "HTTP/1.1 200 OK\r\n\r\n"), "larger than 4096 bytes"],
    [endless(`X-A: ${"y".repeat(1000)}\r\n`), "HPE_HEADER_OVERFLOW"],
    [endless("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", ""), "again and again"],
  ] as const) {
    await using net = await createInternet({ ...NAMES, "93.184.216.34:80": server });
    const reply = await holdEndpoint(makeEndpoint(), net.exit).get("/");
    expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining(why) });
  }
});

test("after the endpoint's timeout, ends the request to a server that is silent or sends single bytes", async () => {
  const silent = (): void => {};
  const drips = (socket: Socket): void => {
    const drip = setInterval(() => socket.write("H"), 20);
    socket.on("close", () => clearInterval(drip));
  };
  for (const servers of [
    { ...NAMES, "93.184.216.34:80": silent },
    { ...NAMES, "93.184.216.34:80": drips },
    { "192.0.2.53:53": silent },
  ]) {
    await using net = await createInternet(servers);
    const holder = holdEndpoint(makeEndpoint({}, { milliseconds: 150 }), net.exit);
    expect(await holder.get("/")).toMatchObject({ ok: false, code: "failed" });
    expect(net.exit.underWay.size).toBe(0);
  }
});

test("cancelling ends the call immediately and closes the connection", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<Socket>();
  await using net = await createInternet({ ...NAMES, "93.184.216.34:80": resolve });
  const giveUp = new AbortController();
  const reply = holdEndpoint(makeEndpoint(), net.exit).get("/", giveUp.signal);
  const socket = await arrived;
  const closed = new Promise((done) => socket.once("close", done));
  socket.resume();
  giveUp.abort();
  expect(await reply).toMatchObject({ ok: false, code: "cancelled" });
  await closed;
});

test("refuses an answer whose protocol, header or length is ambiguous", async () => {
  for (const text of [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;\nx\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/2 200\r\n\r\nhello",
    "ICY 200 OK\r\n\r\nhello",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
  ]) {
    expect(await said(text), JSON.stringify(text)).toMatchObject({ ok: false, code: "failed" });
  }
  const behind = await said(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`);
  if (behind.ok) expect(bodyIn(behind.value)).toMatchObject({ body: "hello" });
});

test("refuses an incomplete answer", async () => {
  for (const text of [
    "",
    "HTTP/1.1 200",
    OK.slice(0, -1),
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
  ]) {
    expect(await said(text), JSON.stringify(text)).toMatchObject({ ok: false, code: "failed" });
  }
});

test("refuses a compressed answer and an answer that is not text", async () => {
  const bomb = gzipSync(Buffer.alloc(1024 * 1024));
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
  expect(await said(head)).toMatchObject({
    ok: false,
    reason: "status.example.net: its answer is packed (gzip), which was not asked for",
  });
  await using net = await createInternet({
    ...NAMES,
    "93.184.216.34:80": (socket) =>
      socket.once("data", () =>
        socket.end(Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\xff\xfe", "latin1")),
      ),
  });
  const reply = await holdEndpoint(makeEndpoint(), net.exit).get("/");
  expect(reply).toMatchObject({ ok: false, reason: "the answer is no text in UTF-8" });
});

test("refuses an answer that becomes too large as JSON", async () => {
  const text = `HTTP/1.1 200 OK\r\n\r\n${"\x01".repeat(300_000)}`;
  expect(await said(text, { responseBytes: 400_000 })).toMatchObject({
    ok: false,
    reason: "the answer is too large as JSON",
  });
});

test("bounds the number of concurrent requests", async () => {
  await using net = await createInternet({ ...NAMES, "93.184.216.34:80": () => {} });
  const holders = [0, 1, 2].map(() => holdEndpoint(makeEndpoint(), net.exit));
  const giveUp = new AbortController();
  const waiting = holders.flatMap((holder) => Array.from({ length: 8 }, () => holder.get("/", giveUp.signal)));
  const first = await Promise.race(waiting);
  expect(first).toMatchObject({ ok: false, reason: "16 requests are under way; try again later" });
  giveUp.abort();
  await Promise.all(waiting);
  await expect.poll(() => net.exit.underWay.size).toBe(0);
});

test("fuzz: whatever a server sends, the reply is a result or a reason", async () => {
  let text = Buffer.alloc(0);
  await using net = await createInternet({
    "10.0.2.2:80": (socket) => socket.once("data", () => socket.end(text)),
  });
  const holder = holdEndpoint(makeEndpoint({ host: "10.0.2.2" }, { milliseconds: 2000 }), net.exit);
  const line = fc.constantFrom(
    ...["HTTP/1.1 200 OK", "HTTP/1.0 200", "Content-Length: 3", "Transfer-Encoding: chunked", "Connection: keep-alive"],
    ...["Content-Encoding: br", "Location: x", "", "3", "abc", "0", " folded", "HTTP/1.1 100 Continue", "\0\xff"],
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom("\r\n", "\n", "\r", "")), { maxLength: 12 });
  const anything = fc.oneof(
    lines.map((parts) => Buffer.from(parts.map((part) => part.join("")).join(""), "latin1")),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (bytes) => {
      text = Buffer.from(bytes);
      const reply = await holder.get("/");
      if (reply.ok) expect(bodyIn(reply.value)).toHaveProperty("status");
      else expect(reply).toMatchObject({ code: "failed", reason: expect.stringMatching(/^[ -~]+$/) });
    }),
    { numRuns: 150 },
  );
});
