import { duplexPair } from "node:stream";
import type { Endpoint, Place } from "../../../lib/wire/generated/egress.ts";
import { Fetch, HttpEndpoint } from "../../../lib/wire/generated/tools.ts";
import { connect, type Reply } from "../../../lib/wire/index.ts";
import type { Exit } from "../request.ts";
import { serveTools } from "../serve.ts";

export const AT: Place = { scheme: "http", host: "status.example.net", port: 80, path: "/" };

export function makeEndpoint(place: Partial<Place> = {}, over: Partial<Endpoint> = {}): Endpoint {
  return {
    name: "status",
    places: [{ ...AT, ...place }],
    methods: ["GET", "POST"],
    requestBytes: 1024,
    responseBytes: 4096,
    milliseconds: 20_000,
    secret: "",
    secretInTheClear: false,
    pins: [],
    ...over,
  };
}

interface Holder {
  readonly get: (path: string, signal?: AbortSignal) => Promise<Reply<string>>;
  readonly call: (method: number, args: object) => Promise<Reply<string>>;
}

/** Connects to an endpoint as a gate does. The returned functions call it with arguments as JSON. */
export function holdEndpoint(endpoint: Endpoint, exit: Exit): Holder {
  const [here, there] = duplexPair();
  serveTools(there, HttpEndpoint.id, endpoint, exit);
  const connection = connect(here);
  const call: Holder["call"] = (method, args) => connection.callTool(HttpEndpoint.id, method, JSON.stringify(args));
  return {
    call,
    get: (path, signal) => connection.callTool(HttpEndpoint.id, 0, JSON.stringify({ path }), signal && { signal }),
  };
}

/** Returns a function that calls Fetch over a connection of its own. */
export function createFetcher(endpoint: Endpoint, exit: Exit): (url: string) => Promise<Reply<string>> {
  const [here, there] = duplexPair();
  serveTools(there, Fetch.id, endpoint, exit);
  const connection = connect(here);
  return (url) => connection.callTool(Fetch.id, 0, JSON.stringify({ url }));
}
