// Tests how long a streamed answer belongs to its holder, and that no other holder gets it.

import type { Socket } from "node:net";
import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { type Endpoint, HttpExchange } from "../../lib/wire/generated/egress.ts";
import { connect } from "../../lib/wire/index.ts";
import { MOST_AT_ONCE } from "./limits.ts";
import type { Exit } from "./request.ts";
import { serveExchange } from "./stream.ts";
import { makeEndpoint } from "./testing/holder.ts";
import { createInternet } from "./testing/internet.ts";

const { ask, read, stop } = HttpExchange.methods;

/**
 * Returns a server that begins an answer and never ends it. `ended` resolves when the server sees the end of a connection, `freed`
 * when egress has completed a request.
 */
async function endless() {
  const [ended, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const net = await createInternet({
    "10.0.2.80:80": (socket: Socket) => {
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbegun"));
      socket.once("close", () => ended.resolve());
    },
  });
  const underWay = new Set<symbol>();
  const exit: Exit = { ...net.exit, underWay };
  underWay.delete = (one) => {
    freed.resolve();
    return Set.prototype.delete.call(underWay, one);
  };
  const held = () => {
    const [here, there] = duplexPair();
    serveExchange(there, makeEndpoint({ host: "10.0.2.80" }), exit);
    return { here, model: connect(here) };
  };
  return { net, underWay, held, ended: ended.promise, freed: freed.promise };
}

test("if a holder disconnects, the connection to the server is closed, and another request can use its slot", async () => {
  const { net, underWay, held, ended, freed } = await endless();
  await using _ = net;
  const { here, model } = held();
  expect(await model.call(ask, { body: "{}" })).toMatchObject({ ok: true, value: { status: 200 } });
  expect(underWay.size).toBe(1);
  here.destroy();
  await Promise.all([ended, freed]);
  expect(underWay.size).toBe(0);
});

test("an answer occupies a slot while it can be read, and stopping the answer frees the slot", async () => {
  const { net, underWay, held, freed } = await endless();
  await using _ = net;
  const models = Array.from({ length: MOST_AT_ONCE }, () => held().model);
  for (const model of models) expect(await model.call(ask, { body: "{}" })).toMatchObject({ ok: true });
  const late = held().model;
  const unsent = `${MOST_AT_ONCE} requests are under way; try again later`;
  expect(await late.call(ask, { body: "{}" })).toMatchObject({ ok: true, value: { status: 0, unsent } });
  expect(underWay.size).toBe(MOST_AT_ONCE);
  expect(await models[0]?.call(stop, {})).toMatchObject({ ok: true });
  await freed;
  expect(await models[0]?.call(read, {})).toMatchObject({ ok: false, reason: "nothing was asked" });
  expect(await late.call(ask, { body: "{}" })).toMatchObject({ ok: true });
});

test("reports a request as unsent if no server was reached or the page forbids sending", async () => {
  await using net = await createInternet({
    "10.0.2.80:80": (socket: Socket) => socket.once("data", () => socket.end()),
  });
  const asked = (host: string, over: Partial<Endpoint> = {}) => {
    const [here, there] = duplexPair();
    serveExchange(there, makeEndpoint({ host }, over), net.exit);
    return connect(here).call(ask, { body: "{}" });
  };
  const unsent = (words: string) => ({
    ...{ ok: true, value: { status: 0, contentType: "", retryAfter: "", unsent: expect.stringContaining(words) } },
  });
  expect(await asked("10.0.2.81")).toEqual(unsent("it cannot be reached"));
  expect(await asked("10.0.2.80", { requestBytes: 1 })).toEqual(unsent("at most 1 bytes may be sent here"));
  expect(await asked("10.0.2.80")).toMatchObject({ ok: false, code: "failed" });
});
