import fc from "fast-check";
import { expect, test } from "vitest";
import type { Endpoint, Place } from "../wire/generated/egress.ts";
import { resolveServerTarget, resolveUrlTarget } from "./place.ts";

const place = (over: Partial<Place> = {}): Place => ({
  scheme: "https",
  host: "status.example.net",
  port: 443,
  path: "/api",
  ...over,
});
const endpoint = (...places: readonly Place[]): Endpoint => ({
  name: "web",
  places,
  methods: ["GET"],
  requestBytes: 1,
  responseBytes: 1,
  milliseconds: 1,
  secret: "",
  secretInTheClear: false,
  pins: [],
});

test("allows paths below the page's path, compared by whole segments", () => {
  const on = (path: string) => resolveServerTarget(endpoint(place()), path);
  for (const path of ["/api", "/api/", "/api/v1/items?sort=up&from=/etc", "/api/%C3%A9"]) {
    expect(on(path)).toEqual({ ok: true, value: { place: place(), path } });
  }
  for (const path of ["/", "/apis", "/other", "/API"]) {
    expect(on(path)).toEqual({
      ok: false,
      reason: "outside the page's grant, which covers https://status.example.net/api",
    });
  }
});

test("refuses a path that is ambiguous or could end the request line", () => {
  for (const path of [
    ...[
      "",
      "api",
      "/api/../admin",
      "/api/./x",
      "/api//x",
      "/api/%2e%2e/admin",
      "/api/%2E./x",
      "/api/a%2fb",
      "/api/%5cx",
    ],
    ...["/api/x y", "/api/x\r\nHost: evil", "/api/x\nX: y", "/api/\0", "/api/é", "/api/x#y", "/api/\\x", "/api/%zz"],
    ...["http://evil.example/api", "//evil.example/api", `/api/${"x".repeat(5000)}`],
  ]) {
    expect(resolveServerTarget(endpoint(place()), path).ok, JSON.stringify(path)).toBe(false);
  }
});

test("property: an accepted path cannot end the request line, and cannot lead to a parent folder by dots", () => {
  const piece = fc.constantFrom("/", "api", "..", ".", "%2e", "%2f", "?", "#", " ", "\r\n", "x", "\\", ":", "@");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const asked = resolveServerTarget(endpoint(place()), `/api${pieces.join("")}`);
      if (!asked.ok) return;
      expect(asked.value.path).toMatch(/^\/api[!-~]*$/);
      const read = new URL(asked.value.path, "https://status.example.net");
      expect(read.host).toBe("status.example.net");
      expect(read.pathname).toMatch(/^\/api(\/|$)/);
    }),
    { numRuns: 2000 },
  );
});

test("allows a URL whose scheme, host, port and path match the page", () => {
  const web = endpoint(place(), place({ scheme: "http", host: "10.0.2.2", port: 8080, path: "/" }));
  const at = (url: string) => {
    const target = resolveUrlTarget(web, url);
    return target.ok ? `${target.value.place.host} ${target.value.path}` : undefined;
  };
  expect(at("https://status.example.net/api/x?y#z")).toBe("status.example.net /api/x?y");
  expect(at("HTTPS://STATUS.example.net:443/api")).toBe("status.example.net /api");
  expect(at("http://10.0.2.2:8080")).toBe("10.0.2.2 /");
  for (const url of [
    ...["http://status.example.net/api", "https://status.example.net:8443/api", "https://status.example.net/", "x"],
    ...[
      "https://evil.example/api",
      "https://status.example.net.evil.example/api",
      "https://status.example.net@evil.example/api",
    ],
    ...["https://user@status.example.net/api", "https://status.example.net./api", "https://[::ffff:10.0.2.2]:8080/"],
    ...[
      "http://0xa000202:8080.evil/",
      "file:///etc/passwd",
      "https://status.example.net/api/%2e%2e/%2e%2e/etc",
      "//status.example.net/api",
    ],
    "https://status.example.net/api/..%2fx",
  ]) {
    expect(at(url), url).toBeUndefined();
  }
});

test("treats another spelling of the page's address as that address", () => {
  expect(
    resolveUrlTarget(endpoint(place({ scheme: "http", host: "10.0.2.2", port: 80, path: "/" })), "http://0xa000202/")
      .ok,
  ).toBe(true);
});

test("a wildcard allows names but no numeric addresses", () => {
  const any = endpoint(place({ host: "*", path: "/" }));
  expect(resolveUrlTarget(any, "https://a.example/x?y")).toEqual({
    ok: true,
    value: { place: place({ host: "a.example", path: "/" }), path: "/x?y" },
  });
  for (const url of [
    ...[
      "https://169.254.169.254/",
      "https://0x7f.1/",
      "https://2130706433/",
      "https://[::1]/",
      "https://[::ffff:7f00:1]/",
    ],
    ...["http://a.example/", "https://a.example:8443/", "https://a.example./"],
  ]) {
    expect(resolveUrlTarget(any, url), url).toEqual({
      ok: false,
      reason: "outside the page's grant, which covers https://*/",
    });
  }
});
