// Writes a new page from the settings of another agent: one folder, the services that the settings name, and a session.
// The page allows no call that the settings forbid.

import type { AddressPlace } from "./addresses.ts";
import type { HostPolicy } from "./host-policy.ts";
import { ADDRESSES, FILES, reduceStance, renderLines } from "./lines.ts";
import type { Stance } from "./stance.ts";

/** Services of the library that rules about commands may name, with their names on the page. */
const SERVICES = { Calculator: "sums", Clock: "clock", Echo: "echo", Logs: "journal", Status: "machine" } as const;

/** Renders the page; `capc fmt` would write some lines in another form. */
export function renderPage(policy: HostPolicy): string {
  const { host, files, methods } = policy;
  const web = policy.web === undefined ? undefined : reduceStance(policy.web, ADDRESSES);
  const hasWeb = web !== undefined && (web.base !== "forbidden" || web.lines.some(({ mode }) => mode !== "forbidden"));
  const named = Object.entries(SERVICES).filter(([face]) =>
    [...methods].some(
      ([method, { isNamed, mode }]) => isNamed && mode !== "forbidden" && method.startsWith(`${face}.`),
    ),
  );
  const services = [
    "  service workspace : Files { state 64 MiB }",
    ...(hasWeb ? ["", ...renderWebService(web)] : []),
    ...named.flatMap(([face, name]) => ["", `  service ${name} : ${face} {}`]),
  ];
  const permits = [
    ...(["read", "list", "write", "delete"] as const).flatMap((method) =>
      renderLines(`Files.${method}`, reduceStance(files[method], FILES), FILES),
    ),
    ...(hasWeb ? [...renderLines("Fetch.get", web, ADDRESSES), "forbidden Fetch.post"] : []),
    ...named.flatMap(([face]) =>
      [...methods].flatMap(([method, { mode }]) => (method.startsWith(`${face}.`) ? [`${mode} ${method}`] : [])),
    ),
  ];
  return `/// What settings of ${host} allow, by capc import.
system imported version "0.1.0" {
  use std.tools

${services.join("\n")}

  backend canned { stub }

  session operator {
    kind operator
    models { auto canned }
    permit {
${permits.map((line) => `      ${line}\n`).join("")}    }
  }

  storage { disk "capos-data" }
${hasWeb ? "  network { address dhcp }\n" : ""}  image { target linux  machine vm  boot operator }
}
`;
}

/**
 * Renders the service that requests web pages. It may reach only listed hosts if the settings forbid all other hosts,
 * and each line that allows or asks names one host. Otherwise it may reach every host.
 */
function renderWebService({ base, lines }: Stance<AddressPlace>): readonly string[] {
  const open = lines.filter(({ mode }) => mode !== "forbidden");
  const isListed = base === "forbidden" && open.every(({ place: { kind } }) => kind === "exact");
  const hosts = [...new Set(open.map(({ place }) => `"https://${place.host}"`))];
  const scope = isListed ? hosts : ['"https://*"'];
  return ["  service web : Fetch {", `    grant Fetch scope ${[...scope, '"GET"'].join(", ")}`, "  }"];
}
