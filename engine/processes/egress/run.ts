import { parseAddresses } from "../../lib/reach/address.ts";
import { accept } from "../../lib/result/result.ts";
import type { Program } from "../../lib/wire/program.ts";
import type { StandIn } from "./connection.ts";
import { openDatagramLine } from "./datagrams.ts";
import { dialAddress } from "./dial.ts";
import { readEndpoints } from "./endpoints.ts";
import { serveAny } from "./faces.ts";
import type { Exit } from "./request.ts";
import { createVault, NO_CREDENTIAL, readSecrets } from "./vault.ts";

/** Creates the program. With `standIn`, no request leaves this process. */
export function createEgress(standIn?: StandIn): Program {
  return (capset, { resolvers, giveUp }) => {
    const table = capset.file("egress");
    const [endpoints, secrets] = [readEndpoints(table), readSecrets(table)];
    if (!endpoints.ok || !secrets.ok) {
      const reasons = [endpoints, secrets].flatMap((read) => (read.ok ? [] : [read.reason]));
      return giveUp(`what may be reached cannot be read: ${reasons.join("; ")}`);
    }
    const exit: Exit = {
      ...(standIn && { standIn }),
      dial: dialAddress,
      openLine: openDatagramLine,
      servers: parseAddresses(resolvers),
      now: () => Date.now(),
      // A page without credentials has no key, and init passes none.
      vault: [...endpoints.value.values()].some(({ secret }) => secret !== "")
        ? createVault(secrets.value, capset.file("opener"))
        : () => accept(NO_CREDENTIAL),
      underWay: new Set(),
    };
    capset.onGrant(({ stream, badge, interfaceId }) => {
      const endpoint = endpoints.value.get(badge);
      const serving = endpoint && serveAny(stream, interfaceId, endpoint, exit);
      // If no endpoint has the badge of a grant, or the endpoint does not serve its interface, close the connection. So
      // its holder notices at once.
      if (serving === undefined) stream.destroy();
    });
    capset.ready();
  };
}

export const runEgress = createEgress();
