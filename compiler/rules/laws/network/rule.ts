import type { Span } from "../../../../lang/text/index.ts";
import type { BoundNetwork, Service } from "../../../phases/bind/index.ts";
import { type Correction, isSyslog, planNetwork, readCollector, readScope } from "../../../phases/policy/index.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { canReachNetwork } from "../../support/scopes.ts";
import {
  collectorUnfit,
  networkIncomplete,
  networkMissing,
  networkUnused,
  reachMissing,
  scopeUnreadable,
} from "./codes.ts";

/**
 * Checks that every service or backend that contacts other machines states the addresses of these machines. Also checks
 * that the page has a network if and only if the network is used.
 */
export const rule = defineLaw({
  reports: [collectorUnfit, networkIncomplete, networkMissing, networkUnused, reachMissing, scopeUnreadable],
  check: (page, report) => {
    const { network, services, backends, damaged } = page.model;
    const reaching = services.filter((service) => canReachNetwork(page, service));
    for (const service of reaching) checkReach(service, report);
    const [first] = reaching;
    const isOff = network === undefined || network.address?.text === "none";
    if (first !== undefined && isOff && !damaged) {
      report(networkMissing.at(first.node.name.span, { service: first.name }));
    }
    if (network === undefined) return;
    // A construct that a build refuses for another reason still counts as a use of the network, so that
    // `network-unused` is not reported too.
    const isUsed =
      services.some(({ networked }) => networked) ||
      backends.some(({ kind }) => kind === "remote") ||
      network.collector !== undefined;
    if (!isUsed && !isOff && !damaged) report(networkUnused.at(network.node.span, {}));
    checkNetwork(network, report);
    if (!damaged) checkCollector(network, page.model.storage !== undefined ? "kept" : "none", report);
  },
});

function checkReach(service: Service, report: Report): void {
  const { name, grants, interface: face, node } = service;
  const what = findFault(service);
  if (what !== undefined) report(reachMissing.at(node.name.span, { service: name, face: face.name, what }));
  for (const { scopes } of grants) {
    for (const { index, why, correction } of readScope(scopes.map(({ value }) => value)).unreadable) {
      const word = scopes[index];
      const fix = correction && describeCorrection(correction, { tool: `${name}.get`, isUrl: face.name === "Fetch" });
      if (word !== undefined) report(scopeUnreadable.at(word.span, { scope: word.value, why, fix }));
    }
  }
}

/**
 * Returns help for a word of a scope that cannot be read: the word to write instead. If the word is an address with a
 * query, the text also shows a call of `sender` with this query in its argument `url` or `path`. A collector has no
 * `sender`.
 */
function describeCorrection(
  correction: Correction,
  sender: { readonly tool: string; readonly isUrl: boolean } | undefined,
): string {
  if (correction.kind === "pin") return correction.advice;
  const { address, path } = correction;
  if (sender === undefined) return `write \`"${address}"\``;
  const { tool, isUrl } = sender;
  const [name, start] = isUrl ? ["url", `${new URL(address).origin}${path}`] : ["path", path];
  // Tests of parts, such as `startsWith`, do not fit paths and URLs, which have many spellings.
  return `write \`"${address}"\`; the call contains the query, such as \`${tool} { ${name}: "${start}…" }\`, and a rule can limit it: \`consent ${tool} where size(${name}) <= 200 else forbidden\``;
}

/**
 * Returns the fault in the grants of a networked service, or `undefined` if there is none. The service must have exactly one grant, of its
 * own interface, with the hosts as its scope.
 */
function findFault({ grants, interface: face }: Service): string | undefined {
  const [grant, ...others] = grants;
  if (grant === undefined) return "does not name the servers that it may contact";
  if (others.length > 0 || grant.to.kind !== "interface" || grant.to.name !== face.name) {
    return "has a grant that it cannot use";
  }
  const { scope, unreadable } = readScope(grant.scopes.map(({ value }) => value));
  // A scope that could not be parsed may be a misspelt address, so a missing address is not reported too.
  if (unreadable.length > 0) return undefined;
  if (scope.places.length === 0) return "does not name the servers that it may contact";
  if (face.name !== "HttpEndpoint") return undefined;
  if (scope.places.length > 1) return "may contact only one server, but its grant names several";
  return scope.places.some(({ host }) => host === "*")
    ? "may contact only one server, but its grant allows any server"
    : undefined;
}

/**
 * Checks the log collector. A collector needs a data disk, which stores the position in the audit log and the records
 * that were not sent yet.
 */
function checkCollector({ collector, address }: BoundNetwork, storage: "kept" | "none", report: Report): void {
  const [first] = collector ?? [];
  if (collector === undefined || first === undefined) return;
  const { scope, unreadable } = readCollector(collector.map(({ text }) => text));
  for (const { index, why, correction } of unreadable) {
    const word = collector[index];
    const fix = correction && describeCorrection(correction, undefined);
    if (word !== undefined) report(scopeUnreadable.at(word.span, { scope: word.text, why, fix }));
  }
  if (unreadable.length > 0) return;
  const reportUnfit = (what: string) => report(collectorUnfit.at(first.span, { what }));
  if (address?.text === "none") reportUnfit("needs a network, but the page has `address none`");
  if (scope.places.length !== 1 || scope.places.some(({ host }) => host === "*"))
    reportUnfit("must be exactly one server, with one path");
  if (!scope.methods.includes("POST")) reportUnfit("receives records by `POST`, so its scope must allow `POST`");
  if (scope.secret !== "" && scope.places.some(isSyslog))
    reportUnfit("cannot have a credential, because syslog messages contain none");
  if (storage === "none") reportUnfit("needs a data disk, because without it there is no audit log");
}

const SETTINGS: readonly string[] = ["host", "router", "resolvers", "collector"];

const STATIC = "`address static` needs `host`; `router` and `resolvers` must be IPv4 addresses";

function checkNetwork(network: BoundNetwork, report: Report): void {
  const { address, host, router, resolvers, node } = network;
  if (node.damaged) return;
  const reportIncomplete = (at: Span, what: string) => report(networkIncomplete.at(at, { what }));
  if (address === undefined) {
    // An unknown setting, which was already reported, may be a misspelt `address`, so a missing `address` is not
    // reported too.
    if (node.settings.every(({ name }) => SETTINGS.includes(name.text)))
      reportIncomplete(node.span, "the page does not say `address`");
    return;
  }
  if (address.text === "static") {
    if (planNetwork(network) === undefined) reportIncomplete(address.span, STATIC);
    return;
  }
  const [idle] = [host, router, ...resolvers].filter((word) => word !== undefined);
  if (idle === undefined) return;
  reportIncomplete(idle.span, `\`address ${address.text}\` does not use this setting`);
}
