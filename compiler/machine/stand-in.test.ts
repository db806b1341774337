import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Exit } from "../../engine/processes/egress/request.ts";
import { createFetcher, holdEndpoint, makeEndpoint } from "../../engine/processes/egress/testing/holder.ts";
import { createStandIn, getServerFolder } from "./stand-in.ts";

const folder = mkdtempSync(join(tmpdir(), "capc-stand-in-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Access of an egress process to the network. The test fails if the process dials an address. */
const exit: Exit = {
  standIn: createStandIn(folder),
  dial: () => {
    throw new Error("an address was dialled");
  },
  servers: [[192, 0, 2, 53]],
  now: () => 0,
  vault: () => ({ ok: true, value: { authorization: "", forms: [] } }),
  underWay: new Set(),
};

const HTTPS = { scheme: "https", host: "search.example.net", port: 443, path: "/search" };

test("a server's folder is HOST, or HOST:PORT if the port is not the default; the server of `capc run` has the whole folder", () => {
  const at = (scheme: string, host: string, port: number) => getServerFolder("web", { scheme, host, port });
  expect([at("https", "a.example", 443), at("http", "a.example", 80)]).toEqual(["web/a.example", "web/a.example"]);
  expect([at("https", "a.example", 80), at("http", "a.example", 8080)]).toEqual([
    "web/a.example:80",
    "web/a.example:8080",
  ]);
  expect([at("http", "10.0.2.80", 80), at("https", "10.0.2.80", 443), at("http", "10.0.2.80", 81)]).toEqual([
    ...["web", "web/10.0.2.80", "web/10.0.2.80:81"],
  ]);
});

test("requests of an https endpoint are answered from files, within the limits of the endpoint", async () => {
  write("search.example.net/search", "every shop");
  write("search.example.net/search?q=tea", "two tea shops");
  write("search.example.net/other", "outside of the grant");
  const held = holdEndpoint(makeEndpoint(HTTPS, { responseBytes: 12 }), exit);
  const get = async (path: string) => {
    const reply = await held.get(path);
    return reply.ok ? JSON.parse(reply.value).response : reply.reason;
  };
  expect(await get("/search?q=shoes")).toMatchObject({ status: 200, body: "every shop" });
  expect(await get("/search?q=tea")).toBe("search.example.net: the answer is larger than 12 bytes");
  expect(await get("/other")).toContain("outside the page's grant");
  expect(await get("/search/none")).toMatch(/larger|404/);
});

test("a missing file gives status 404, a redirect is returned and not followed, and a method outside of the grant is refused", async () => {
  write("search.example.net/search.location", "https://elsewhere.example/");
  rmSync(join(folder, "search.example.net/search"));
  const held = holdEndpoint(makeEndpoint(HTTPS, { methods: ["GET"] }), exit);
  const reply = await held.get("/search");
  expect(reply.ok && JSON.parse(reply.value).response).toMatchObject({
    status: 302,
    location: "https://elsewhere.example/",
  });
  const missing = await held.get("/search/none");
  expect(missing.ok && JSON.parse(missing.value).response).toMatchObject({ status: 404 });
  expect(await held.call(1, { path: "/search", contentType: "text/plain", body: "x" })).toMatchObject({ ok: false });
});

test("a request of Fetch to any server is answered from the server's folder, and a syslog collector cannot be reached", async () => {
  write("news.example/today.txt", "a whale was seen");
  const fetchUrl = createFetcher(makeEndpoint({ ...HTTPS, host: "*", path: "/" }), exit);
  const reply = await fetchUrl("https://news.example/today.txt");
  expect(reply.ok && JSON.parse(reply.value).response).toMatchObject({ body: "a whale was seen", status: 200 });
  const syslog = { scheme: "syslog", host: "10.0.2.2", port: 514, path: "/" };
  expect(createStandIn(folder)(syslog)).toMatchObject({ ok: false, reason: expect.stringContaining("syslog") });
});
