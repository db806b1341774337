import type { Span } from "../../../../lang/text/index.ts";
import type { Model, Principal, Service } from "../../../phases/bind/index.ts";
import { getPrincipals, selectRowSessions } from "../../../phases/policy/index.ts";
import { getUpstream, initCaps, readGrants } from "../../../phases/policy/upstream/graph.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { upstreamName } from "./codes.ts";

/**
 * Maximum bytes of a capability's name in the memory page that lists the capabilities of a process. MOST_CAPS is the
 * maximum number of names in this memory page (capos-config 0.1.0, src/capset.rs).
 */
const MOST_NAME_BYTES = 32;
const MOST_CAPS = 85;
/**
 * Maximum bytes of a host name, from src/validation.rs. Upstream's limit for names of accounts and profiles is the same
 * as capc's own limit.
 */
const MOST_HOST_BYTES = 255;
/** Name of the credential that upstream's console requires. Only an operator's account has this credential (src/account_store.rs). */
const CONSOLE_PASSWORD = "console-password";

/** Reports names that upstream accepts although its kernel cannot store or distinguish them. */
export const rule = defineLaw({
  reports: [upstreamName],
  check: ({ model }, report) => {
    const upstream = getUpstream(model);
    if (upstream === undefined) return;
    for (const service of model.services) checkCaps(listCaps(service), report);
    checkCaps(
      initCaps(upstream).caps.flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at: at.span }])),
      report,
    );
    checkAccounts(model, report);
    const { hostname } = upstream;
    const why = hostname && findHostFault(hostname.text);
    if (hostname !== undefined && why !== undefined)
      report(upstreamName.at(hostname.span, { name: hostname.text, why }));
  },
});

interface Named {
  readonly name: string;
  readonly at: Span;
}

function listCaps(service: Service): readonly Named[] {
  return readGrants(service).map(({ name, grant }) => ({ name, at: grant.node.to.span }));
}

function checkCaps(caps: readonly Named[], report: Report): void {
  const seen = new Set<string>();
  for (const [index, { name, at }] of caps.entries()) {
    const why = findFault(name, seen) ?? (index === MOST_CAPS ? `a process holds at most ${MOST_CAPS}` : undefined);
    if (why !== undefined) report(upstreamName.at(at, { name, why }));
    seen.add(name);
  }
}

function findFault(name: string, seen: ReadonlySet<string>): string | undefined {
  if (/\p{Cc}/u.test(name)) return "it is not a text";
  const bytes = Buffer.byteLength(name);
  if (bytes > MOST_NAME_BYTES) return `it has ${bytes} bytes; at most ${MOST_NAME_BYTES} are allowed`;
  return seen.has(name) ? "the service has another capability with this name" : undefined;
}

/**
 * Checks the names of accounts, which upstream compares in lower case. An account has the name of a principal, or of a
 * session without principals.
 */
function checkAccounts(model: Model, report: Report): void {
  const seen = new Map<string, Account>();
  for (const session of selectRowSessions(model)) {
    const own: Account = { name: session.id, at: session.node.name.span, whose: "session" };
    const people = getPrincipals(session).map(
      ({ name, node, passphrase }): Account => ({ name, at: node.name.span, whose: "principal", passphrase }),
    );
    for (const account of people.length > 0 ? people : [own]) {
      const before = seen.get(account.name.toLowerCase());
      // A principal who may use several sessions has one account.
      if (before?.at === account.at) continue;
      if (before === undefined) seen.set(account.name.toLowerCase(), account);
      checkAccount(account, before, report);
    }
  }
}

interface Account extends Named {
  readonly whose: "principal" | "session";
  readonly passphrase?: Principal["passphrase"];
}

function checkAccount(account: Account, before: Account | undefined, report: Report): void {
  const { name, at, passphrase } = account;
  if (before !== undefined) {
    const why =
      before.name === name
        ? `the account of a ${before.whose} already has this name`
        : `upstream takes it for \`${before.name}\``;
    report(upstreamName.at(at, { name, why }));
  }
  if (passphrase?.name === CONSOLE_PASSWORD)
    report(upstreamName.at(passphrase.span, { name: passphrase.name, why: "upstream's own console has this name" }));
}

function findHostFault(name: string): string | undefined {
  if (/[\p{Cc}\s]/u.test(name)) return "a host name must be one printable word";
  return Buffer.byteLength(name) > MOST_HOST_BYTES ? `a host name has at most ${MOST_HOST_BYTES} bytes` : undefined;
}
