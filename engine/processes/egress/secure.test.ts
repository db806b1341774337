import { createHash } from "node:crypto";
import { createServer } from "node:https";
import { rootCertificates } from "node:tls";
import { expect, test } from "vitest";
import type { Endpoint } from "../../lib/wire/generated/egress.ts";
import { createIdentity, type Identity } from "./testing/certificate.ts";
import { holdEndpoint, makeEndpoint } from "./testing/holder.ts";
import { createInternet, nameServer } from "./testing/internet.ts";

const NAME = "status.example.net";
const PLACE = { scheme: "https", host: NAME, port: 443 };
const ROOT = createIdentity({ name: "a root of this test" });
const HONEST = createIdentity({ name: NAME, by: ROOT });
const JANUARY_2026 = Date.UTC(2026, 0, 1);
const digest = ({ publicKey }: Identity): Uint8Array => createHash("sha256").update(publicKey).digest();

/** Returns the result of a connection to a server with this certificate, by a client with this clock and these pins. */
async function meets(
  shown: Identity,
  { now = JANUARY_2026, roots = [ROOT], pins = [] as Uint8Array[], over = {} } = {},
) {
  const server = createServer({ key: shown.keyText, cert: shown.certificate, ALPNProtocols: ["h2", "http/1.1"] });
  server.on("request", (request, response) => response.end(`HTTP/${request.httpVersion}`));
  server.on("tlsClientError", () => {});
  await using net = await createInternet({
    "192.0.2.53:53": nameServer(() => [[93, 184, 216, 34]]),
    "93.184.216.34:443": (socket) => server.emit("connection", socket),
    "10.0.2.2:443": (socket) => server.emit("connection", socket),
  });
  const endpoint: Endpoint = makeEndpoint({ ...PLACE, ...over }, { pins });
  const exit = { ...net.exit, now: () => now, roots: roots.map(({ certificate }) => certificate) };
  const reply = await holdEndpoint(endpoint, exit).get("/");
  return reply.ok ? JSON.parse(reply.value).response.body : reply.reason;
}

test("accepts a server whose certificate a trusted authority issued for its name, over HTTP/1.1", async () => {
  expect(await meets(HONEST)).toBe("HTTP/1.1");
});

test("refuses an untrusted authority and a self-signed certificate", async () => {
  const stranger = createIdentity({ name: "another root" });
  expect(await meets(createIdentity({ name: NAME, by: stranger }))).toContain(`${NAME}: no secure connection: `);
  expect(await meets(createIdentity({ name: NAME }))).toContain(`${NAME}: no secure connection: `);
});

test("refuses a certificate for another server", async () => {
  const other = createIdentity({ name: "evil.example.net", by: ROOT });
  expect(await meets(other)).toBe(`${NAME}: no secure connection: ERR_TLS_CERT_ALTNAME_INVALID`);
});

test("checks a certificate's dates by the machine's clock", async () => {
  expect(await meets(HONEST, { now: Date.UTC(2019, 11, 31) })).toBe(`${NAME}: its certificate is not valid yet`);
  expect(await meets(HONEST, { now: Date.UTC(2100, 0, 2) })).toBe(`${NAME}: its certificate has expired`);
  const old = createIdentity({ name: NAME, by: ROOT, from: "2001-01-01", until: "2002-01-01" });
  expect(await meets(old)).toBe(`${NAME}: no secure connection: CERT_HAS_EXPIRED`);
});

test("with pins on the page, accepts only pinned keys, without a certificate authority", async () => {
  const own = createIdentity({ name: NAME });
  expect(await meets(own, { pins: [digest(ROOT), digest(own)] })).toBe("HTTP/1.1");
  expect(await meets(HONEST, { pins: [digest(own)] })).toBe(`${NAME}: its key is none of those that the page names`);
  const elsewhere = createIdentity({ name: "evil.example.net" });
  expect(await meets(elsewhere, { pins: [digest(elsewhere)] })).toBe(`${NAME}: its certificate is for another server`);
  expect(await meets(own, { pins: [digest(own)], now: Date.UTC(2101, 0) })).toBe(
    `${NAME}: its certificate has expired`,
  );
});

test("a numeric address needs a certificate for that address", async () => {
  const here = createIdentity({ name: "10.0.2.2" });
  expect(await meets(here, { pins: [digest(here)], over: { host: "10.0.2.2" } })).toBe("HTTP/1.1");
  expect(await meets(HONEST, { pins: [digest(HONEST)], over: { host: "10.0.2.2" } })).toContain("for another server");
});

test("refuses a server without TLS, and a server that closes the connection", async () => {
  for (const words of ["HTTP/1.1 400 Bad Request\r\n\r\n", ""]) {
    await using net = await createInternet({
      "10.0.2.2:443": (socket) => socket.once("data", () => socket.end(words)),
    });
    const reply = await holdEndpoint(makeEndpoint({ ...PLACE, host: "10.0.2.2" }), net.exit).get("/");
    expect(reply).toMatchObject({ ok: false, reason: expect.stringContaining("10.0.2.2: ") });
  }
});

test("Node's own list of trusted certificate authorities has the expected size and digest", () => {
  const list = createHash("sha256")
    .update([...rootCertificates].sort().join("\n"))
    .digest("hex");
  expect({ count: rootCertificates.length, list }).toEqual({
    count: 121,
    list: "0159ae9f6cc884721ad673e7e5579567ea03fcf2e41b5fdb39ee32e497294e93",
  });
});
