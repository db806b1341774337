import fc from "fast-check";
import { expect, test } from "vitest";
import { Egress, type Endpoint } from "../../lib/wire/generated/egress.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import { readEndpoints } from "./endpoints.ts";
import { AT, makeEndpoint } from "./testing/holder.ts";

const tableOf = (endpoints: readonly Endpoint[], holders: Egress["holders"] = [], schemaVersion = 1) =>
  readEndpoints(encodeMessage(Egress, { schemaVersion, endpoints, holders, secrets: [] }));

test("a badge selects the endpoint in its table, and an unknown badge selects none", () => {
  const [one, two] = [makeEndpoint(), makeEndpoint({ host: "10.0.2.2" })];
  const table = tableOf(
    [one, two],
    [
      { badge: 4n, endpoint: 1 },
      { badge: 9n, endpoint: 0 },
    ],
  );
  expect(table).toMatchObject({ ok: true });
  expect(tableOf([makeEndpoint({ host: "*" })]).ok).toBe(true);
  expect(tableOf([makeEndpoint({ scheme: "https" }, { secret: "a" })]).ok).toBe(true);
  expect(tableOf([makeEndpoint({ host: "10.0.2.2" }, { secret: "a", secretInTheClear: true })]).ok).toBe(true);
  if (table.ok)
    expect([4n, 9n, 0n, 1n].map((badge) => table.value.get(badge)?.places[0]?.host)).toEqual([
      "10.0.2.2",
      AT.host,
      undefined,
      undefined,
    ]);
});

test("refuses an invalid table", () => {
  const holder = { badge: 1n, endpoint: 0 };
  for (const table of [
    ...[
      { scheme: "ftp" },
      { host: "[::1]" },
      { host: "A" },
      { host: "" },
      { port: 0 },
      { path: "api" },
      { path: "/a/../b" },
    ].map((over) => tableOf([makeEndpoint(over)], [holder])),
    ...[
      { places: [] },
      { methods: [] },
      { methods: ["DELETE"] },
      { milliseconds: 0 },
      { pins: [new Uint8Array(20)] },
      { secret: "a" },
      { secret: "a", secretInTheClear: true },
      { secretInTheClear: true },
      { secret: "a", places: [AT, AT].map((place) => ({ ...place, scheme: "https" })) },
      { secret: "a", places: [{ ...AT, scheme: "https", host: "*" }] },
    ].map((over) => tableOf([makeEndpoint({}, over)], [holder])),
    tableOf([makeEndpoint()], [{ badge: 1n, endpoint: 1 }]),
    tableOf([makeEndpoint()], [holder, holder]),
    tableOf([], [], 2),
  ]) {
    expect(table.ok).toBe(false);
  }
});

test("fuzz: the reader never throws on any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof readEndpoints(bytes).ok).toBe("boolean");
    }),
  );
});
