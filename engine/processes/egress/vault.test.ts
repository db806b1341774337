// Tests attempts of a hostile server, page or caller to get a credential, each against the real endpoints.

import { createServer } from "node:https";
import type { Socket } from "node:net";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { Egress, HttpExchange, type Secret } from "../../lib/wire/generated/egress.ts";
import { connect, encodeMessage } from "../../lib/wire/index.ts";
import { derivePublicKey } from "./hpke.ts";
import { formatMachineKey, formatOrigin, sealSecret } from "./sealing.ts";
import { serveExchange } from "./stream.ts";
import { createIdentity } from "./testing/certificate.ts";
import { holdEndpoint, makeEndpoint } from "./testing/holder.ts";
import { createInternet, nameServer, serveText } from "./testing/internet.ts";
import { createVault, readSecrets } from "./vault.ts";

const KEY = Buffer.alloc(32, 5);
const VALUE = "sk-live-0123456789";
const NAME = "llm.example.net";
const HTTPS = { scheme: "https", host: NAME, port: 443 };
const HERE = { scheme: "http", host: "10.0.2.80", port: 80 };
const NOTHING_LEFT = "there is no answer to be read";
const ROOT = createIdentity({ name: "a root of this test" });
const SERVER = createIdentity({ name: NAME, by: ROOT });

function vaultWith(origin: string, key = KEY): ReturnType<typeof createVault> {
  const secret = sealSecret("frontier", origin, [derivePublicKey(KEY)], Buffer.from(VALUE));
  return createVault(new Map([["frontier", secret]]), key);
}

/** Returns the reply to a request with the credential, and the bytes that the server received. */
async function told(answer: string | ((socket: Socket) => void), over = {}) {
  const heard: string[] = [];
  await using net = await createInternet({
    "10.0.2.80:80": (socket) => {
      socket.on("data", (bytes) => heard.push(bytes.toString("latin1")));
      (typeof answer === "string" ? serveText(answer) : answer)(socket);
    },
  });
  const exit = { ...net.exit, vault: vaultWith(formatOrigin(HERE)) };
  const endpoint = makeEndpoint(HERE, { secret: "frontier", secretInTheClear: true, ...over });
  const reply = await holdEndpoint(endpoint, exit).get("/");
  return { reply, heard: heard.join(""), dialled: net.dialled };
}

const answer = (body: string, head = ""): string =>
  `HTTP/1.1 200 OK\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test("sends the credential in a single header, to a verified server over TLS", async () => {
  const heard: string[] = [];
  const server = createServer({ key: SERVER.keyText, cert: SERVER.certificate }, (request, response) => {
    heard.push(request.rawHeaders.join("|"));
    response.end("hello");
  });
  await using net = await createInternet({
    "192.0.2.53:53": nameServer(() => [[93, 184, 216, 34]]),
    "93.184.216.34:443": (socket) => server.emit("connection", socket),
  });
  const exit = { ...net.exit, roots: [ROOT.certificate], vault: vaultWith(formatOrigin(HTTPS)) };
  const reply = await holdEndpoint(makeEndpoint(HTTPS, { secret: "frontier" }), exit).get("/");
  expect(reply).toMatchObject({ ok: true });
  expect(heard.join().match(/authorization\|Bearer sk-live-0123456789\b/g)).toHaveLength(1);
  expect(JSON.stringify(reply)).not.toContain(VALUE);
});

test("sends no data to a server with an invalid certificate", async () => {
  const heard: Buffer[] = [];
  const impostors = [createIdentity({ name: NAME }), createIdentity({ name: "evil.example.net", by: ROOT })];
  for (const shown of impostors) {
    const server = createServer({ key: shown.keyText, cert: shown.certificate }, (_, response) =>
      response.end("hello"),
    );
    server.on("tlsClientError", () => {});
    server.on("request", () => heard.push(Buffer.from("a request came")));
    await using net = await createInternet({
      "192.0.2.53:53": nameServer(() => [[93, 184, 216, 34]]),
      "93.184.216.34:443": (socket) => server.emit("connection", socket),
    });
    const exit = { ...net.exit, roots: [ROOT.certificate], vault: vaultWith(formatOrigin(HTTPS)) };
    expect(await holdEndpoint(makeEndpoint(HTTPS, { secret: "frontier" }), exit).get("/")).toMatchObject({ ok: false });
  }
  expect(heard).toEqual([]);
});

test("sends no credential over an unencrypted connection, and dials nothing", async () => {
  await using net = await createInternet({ "192.0.2.53:53": nameServer(() => [[93, 184, 216, 34]]) });
  for (const place of [
    { scheme: "http", host: NAME, port: 80 },
    { scheme: "http", host: "93.184.216.34", port: 80 },
  ]) {
    const exit = { ...net.exit, vault: vaultWith(formatOrigin(place)) };
    const reply = await holdEndpoint(makeEndpoint(place, { secret: "frontier", secretInTheClear: true }), exit).get(
      "/",
    );
    expect(reply).toMatchObject({ ok: false, reason: "the secret frontier goes over TLS alone" });
  }
  const here = { ...net.exit, vault: vaultWith(formatOrigin(HERE)) };
  expect((await holdEndpoint(makeEndpoint(HERE, { secret: "frontier" }), here).get("/")).ok).toBe(false);
  expect(net.dialled).toEqual([]);
});

test("sends no credential if the page names another server than the one to which the secret is sealed", async () => {
  await using net = await createInternet({});
  const exit = { ...net.exit, vault: vaultWith(formatOrigin(HTTPS)) };
  for (const over of [{ host: "evil.example.net" }, { port: 8443 }]) {
    const reply = await holdEndpoint(makeEndpoint({ ...HTTPS, ...over }, { secret: "frontier" }), exit).get("/");
    expect(reply).toMatchObject({ ok: false, reason: "the secret frontier was sealed for another server" });
  }
  expect(net.dialled).toEqual([]);
});

test("if a secret is not sealed to this machine, fails and shows the machine's key", async () => {
  await using net = await createInternet({});
  const machine = formatMachineKey(derivePublicKey(Buffer.alloc(32, 6)));
  const vault = vaultWith(formatOrigin(HTTPS), Buffer.alloc(32, 6));
  const ask = (secret: string) => holdEndpoint(makeEndpoint(HTTPS, { secret }), { ...net.exit, vault }).get("/");
  const elsewhere = `the secret frontier: it is sealed to other machines; the key of this machine is ${machine}`;
  expect(await ask("frontier")).toMatchObject({ ok: false, reason: elsewhere });
  const missing = `the secret other is not sealed; the key of this machine is ${machine}`;
  expect(await ask("other")).toMatchObject({ ok: false, reason: missing });
});

test("withholds an answer that repeats the secret: in the body, in a field, in pieces or encoded", async () => {
  const base64 = Buffer.from(`Bearer ${VALUE}`).toString("base64");
  for (const said of [
    answer(`you said ${VALUE}`),
    answer(JSON.stringify({ headers: { authorization: `Bearer ${VALUE}` } })),
    answer(base64),
    answer("ok", `Content-Type: text/plain; token=${VALUE}\r\n`),
    `HTTP/1.1 302 Found\r\nLocation: https://evil.example/?t=${VALUE}\r\nContent-Length: 0\r\n\r\n`,
    `HTTP/1.1 401 Unauthorized\r\nContent-Length: 18\r\n\r\n${VALUE}`,
    answer("ok", `Content-Encoding: ${VALUE}\r\n`),
    (socket: Socket) =>
      socket.once("data", () => {
        const half = VALUE.length / 2;
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n${VALUE.slice(0, half)}\r\n`);
        setImmediate(() => socket.end(`9\r\n${VALUE.slice(half)}\r\n0\r\n\r\n`));
      }),
  ]) {
    const { reply, heard } = await told(said);
    expect(heard).toContain(`authorization: Bearer ${VALUE}\r\n`);
    expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining("the answer repeats the credential") });
    expect(JSON.stringify(reply)).not.toContain(VALUE.slice(3, 12));
  }
});

test("a streamed answer ends before the first character of the secret, and is complete if it does not contain the secret", async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const begun = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const read = async (...pieces: readonly string[]) => {
    const said = begun + [...pieces, ""].map(chunk).join("");
    await using net = await createInternet({ "10.0.2.80:80": serveText(said) });
    const [here, there] = duplexPair();
    const exit = { ...net.exit, vault: vaultWith(formatOrigin(HERE)) };
    serveExchange(there, makeEndpoint(HERE, { secret: "frontier", secretInTheClear: true }), exit);
    const model = connect(here);
    expect(await model.call(HttpExchange.methods.ask, { body: "{}" })).toMatchObject({ ok: true });
    let text = "";
    for (;;) {
      const next = await model.call(HttpExchange.methods.read, {});
      if (!next.ok) return { text, reason: next.reason };
      if (next.value.end) return { text, reason: "" };
      text += Buffer.from(next.value.bytes).toString();
    }
  };
  const half = VALUE.slice(0, 9);
  const reason = "10.0.2.80: the answer repeats the credential, and is not passed on";
  expect(await read("before ", half, `${VALUE.slice(9)} after`)).toEqual({
    text: expect.not.stringContaining("s"),
    reason,
  });
  expect(await read("before ", half)).toEqual({ text: `before ${half}`, reason: "" });
});

test("after the secret was found, further reads return no held-back bytes and never report a complete answer", async () => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const arrived = Promise.withResolvers<Socket>();
  const begun = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(`before ${VALUE.slice(0, -1)}`)}`;
  await using net = await createInternet({
    "10.0.2.80:80": (socket) => socket.once("data", () => socket.write(begun, () => arrived.resolve(socket))),
  });
  const [here, there] = duplexPair();
  const exit = { ...net.exit, vault: vaultWith(formatOrigin(HERE)) };
  serveExchange(there, makeEndpoint(HERE, { secret: "frontier", secretInTheClear: true }), exit);
  const model = connect(here);
  const read = () => model.call(HttpExchange.methods.read, {});
  expect(await model.call(HttpExchange.methods.ask, { body: "{}" })).toMatchObject({ ok: true });
  expect(await read()).toMatchObject({ ok: true, value: { bytes: Uint8Array.from(Buffer.from("before ")) } });
  (await arrived.promise).write(chunk(`${VALUE.slice(-1)} after`) + chunk(""));
  const reasons = ["10.0.2.80: the answer repeats the credential, and is not passed on", NOTHING_LEFT, NOTHING_LEFT];
  for (const reason of reasons) expect(await read()).toMatchObject({ ok: false, reason });
});

test("the reason for a malformed answer never contains the secret", async () => {
  for (const said of [
    `HTTP/1.1 ${VALUE}\r\n\r\n`,
    `${VALUE}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nContent-Length: ${VALUE}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${VALUE}\r\n\r\n`,
    `HTTP/1.1 101 Switching\r\nUpgrade: ${VALUE}\r\nConnection: upgrade\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n${VALUE.slice(0, -1)}`,
  ]) {
    const { reply } = await told(said);
    expect(reply).toMatchObject({ ok: false });
    expect(JSON.stringify(reply)).not.toContain("sk-live");
  }
});

test("does not follow a redirect, so the credential reaches no second server", async () => {
  const moved = "HTTP/1.1 307 Moved\r\nLocation: http://10.0.2.81/\r\nContent-Length: 0\r\n\r\n";
  const { reply, dialled } = await told(moved);
  expect(reply.ok && JSON.parse(reply.value).response).toMatchObject({ status: 307, location: "http://10.0.2.81/" });
  expect(dialled).toEqual(["10.0.2.80:80"]);
});

test("an endpoint without a secret sends no credential", async () => {
  const { reply, heard } = await told(answer("ok"), { secret: "", secretInTheClear: false });
  expect(reply.ok).toBe(true);
  expect(heard).not.toMatch(/authorization/i);
});

test("refuses a table with invalid or repeated secrets", () => {
  const good = sealSecret("a", formatOrigin(HTTPS), [derivePublicKey(KEY)], Buffer.from(VALUE));
  const table = (...secrets: Secret[]) =>
    readSecrets(encodeMessage(Egress, { schemaVersion: 1, endpoints: [], holders: [], secrets }));
  expect(table(good, { ...good, name: "b" })).toMatchObject({ ok: true });
  expect(table(good, good)).toEqual({ ok: false, reason: "the secret a: it stands twice" });
  expect(table({ ...good, schemaVersion: 2 }).ok).toBe(false);
  expect(table({ ...good, copies: [] }).ok).toBe(false);
  expect(table({ ...good, copies: good.copies.map((copy) => ({ ...copy, recipient: Buffer.alloc(31) })) }).ok).toBe(
    false,
  );
});
