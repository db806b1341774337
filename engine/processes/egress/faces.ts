import type { Duplex } from "node:stream";
import { isSyslog } from "../../lib/reach/place.ts";
import { type Endpoint, HttpExchange, SyslogExit } from "../../lib/wire/generated/egress.ts";
import type { Serving } from "../../lib/wire/index.ts";
import type { Exit } from "./request.ts";
import { serveTools } from "./serve.ts";
import { serveExchange } from "./stream.ts";
import { serveSyslog } from "./syslog.ts";

/**
 * Serves one holder's connection. Returns `undefined` if egress does not serve the interface, or if the interface does not fit the
 * endpoint.
 */
export function serveAny(stream: Duplex, interfaceId: bigint, endpoint: Endpoint, exit: Exit): Serving | undefined {
  if (endpoint.places.some(isSyslog) !== (interfaceId === SyslogExit.id)) return undefined;
  switch (interfaceId) {
    case SyslogExit.id:
      return serveSyslog(stream, endpoint, exit);
    case HttpExchange.id:
      return serveExchange(stream, endpoint, exit);
    default:
      return serveTools(stream, interfaceId, endpoint, exit);
  }
}
