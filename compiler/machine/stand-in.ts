// Answers the requests of a page from files, in place of the network, for `capc try --web DIR`. The files have the names that `wget -x`
// gives them.

import { join } from "node:path";
import { duplexPair } from "node:stream";
import { getDefaultPort, isSyslog } from "../../engine/lib/reach/place.ts";
import { accept, refuse } from "../../engine/lib/result/result.ts";
import type { Place } from "../../engine/lib/wire/generated/egress.ts";
import type { StandIn } from "../../engine/processes/egress/connection.ts";
import { answerOn } from "./served-folder.ts";

/** The server whose files `capc run --web DIR` serves. */
const RUN_HOST = "10.0.2.80";

/**
 * Returns the folder with the files of a server. It is `folder` itself for RUN_HOST over plain HTTP at the usual port.
 * Otherwise it is the subfolder HOST, or HOST:PORT if the port is not the usual one of the scheme.
 */
export function getServerFolder(
  folder: string,
  { scheme, host, port }: Pick<Place, "scheme" | "host" | "port">,
): string {
  if (port !== getDefaultPort(scheme)) return join(folder, `${host}:${port}`);
  return scheme === "http" && host === RUN_HOST ? folder : join(folder, host);
}

/**
 * Creates a stand-in for all servers, which answers requests from the files in `folder`. Syslog has no answers, so a
 * collector of syslog cannot be reached.
 */
export function createStandIn(folder: string): StandIn {
  return (place) => {
    if (isSyslog(place)) return refuse(`${place.host}: files do not stand in for a collector of syslog`);
    const [mine, theirs] = duplexPair();
    // If the request is cancelled, both ends of its connection are destroyed. Without this listener, the error at this
    // end would end the process.
    theirs.on("error", () => {});
    answerOn(theirs, getServerFolder(folder, place), undefined);
    return accept(mine);
  };
}
