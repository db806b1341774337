// Collects the statements of a page that upstream's manifest cannot express. Each build reports the whole list, so that
// an author knows which lines of the page have no effect.

import type { BackendPlan, Policy, ServicePlan } from "../contract/policy.ts";
import { collectAccounts, orderSessionRows } from "./accounts.ts";
import { collectLoginTimes, LIFETIME_KINDS } from "./profiles.ts";
import { collectSshKeys } from "./ssh-keys.ts";

/** One statement of the page that is not enforced upstream. */
export interface Loss {
  /** Place on the page, such as `session operator` or `storage`. */
  readonly subject: string;
  /** The part of the statement that is lost. */
  readonly what: string;
  readonly why: string;
}

/** Returns the losses in a fixed order of their kinds, and within a kind in code-unit order of names. */
export function collectLosses(policy: Policy): readonly Loss[] {
  return [
    ...collectGateLosses(policy),
    ...policy.backends.map(describeBackendLoss),
    ...policy.services.flatMap(collectServiceLosses),
    ...orderSessionRows(policy).flatMap((row) => collectSessionLosses(policy, row)),
    ...collectAccountLosses(policy),
    ...collectNarrowingLosses(policy),
    ...collectMachineLosses(policy),
  ];
}

const NO_GATE = "upstream 0.1.0 has no gate: calls between its programs are decided by nobody";

function collectGateLosses({ tables, image }: Policy): readonly Loss[] {
  const carried = image.upstream?.carriesTables === true;
  const why = carried ? `${NO_GATE}; the tables are there for a program that reads them` : NO_GATE;
  const lines = tables.rules.length;
  const subject = "system";
  return [
    { subject, what: `the modes, quotas and floors of ${lines} lines`, why },
    { subject, what: "what is proved of it", why: "proofs speak of what a gate decides, and none does" },
    { subject, what: "labels and clearances", why: "upstream's schema 0.1.0 has no labels" },
    ...(tables.releases.length === 0
      ? []
      : [{ subject, what: "declassify and endorse", why: "without labels nothing is released" }]),
    ...tables.redactions.map(({ name }) => ({
      subject: `redaction ${name}`,
      what: "it",
      why: "upstream has no language models whose prompts could be masked",
    })),
    ...(tables.audit.hasLimit
      ? [{ subject: "audit", what: "it", why: "upstream has no audit of calls whose text could be left out" }]
      : []),
    ...tables.ingresses.map(({ name }) => ({
      subject: `ingress ${name}`,
      what: "it",
      why: "upstream has no conversations",
    })),
  ];
}

function describeBackendLoss({ name }: BackendPlan): Loss {
  return { subject: `backend ${name}`, what: "it", why: "upstream's schema 0.1.0 has no language models" };
}

function collectServiceLosses({ name, implementation, stateBytes, own }: ServicePlan): readonly Loss[] {
  const subject = `service ${name}`;
  if (implementation !== "own-native") {
    const program = implementation === "own" ? `the module ${own?.path ?? name}` : `this runtime's ${implementation}`;
    return [{ subject, what: "it", why: `${program} answers for it, and upstream runs static programs alone` }];
  }
  if (stateBytes === 0) return [];
  return [
    { subject, what: `state of ${stateBytes} bytes`, why: "upstream's quotas belong to accounts, not to services" },
  ];
}

function collectSessionLosses(
  policy: Policy,
  { session, login, timeouts, kind }: Policy["tables"]["rows"][number],
): readonly Loss[] {
  const subject = `session ${session}`;
  const { callMs, turnMs, loginMs, idleMs } = timeouts;
  const counted = [
    ...(callMs === 0 ? [] : [`timeout of ${callMs} ms per call`]),
    ...(turnMs === 0 ? [] : [`timeout of ${turnMs} ms per turn`]),
    ...(idleMs === 0 ? [] : [`timeout of ${idleMs} ms per idle`]),
  ].map((what): Loss => ({ subject, what, why: "upstream ends logins in time, and nothing else" }));
  const why = explainUntimedLogin(policy, kind, loginMs);
  const lasting = why === undefined ? [] : [{ subject, what: `timeout of ${loginMs} ms per login`, why }];
  const opened =
    login === "none"
      ? []
      : [{ subject, what: `login ${login}`, why: "how an account logs in is upstream's own, by what it knows of it" }];
  return [...opened, ...counted, ...lasting];
}

function explainUntimedLogin(policy: Policy, kind: string, loginMs: number): string | undefined {
  if (loginMs === 0) return undefined;
  if (!LIFETIME_KINDS.has(kind)) return `upstream times no logins of kind ${kind}`;
  const shortest = Math.min(...collectLoginTimes(policy, kind));
  return loginMs > shortest ? `upstream has one time for all sessions of kind ${kind}: ${shortest} ms` : undefined;
}

function collectAccountLosses(policy: Policy): readonly Loss[] {
  const { accounts, beside, idle, shared } = collectAccounts(policy);
  return [
    ...beside.map(({ session, principal }): Loss => {
      const why = "an account of upstream's has one profile: that of the session that boots, or of the first";
      return { subject: `session ${session}`, what: `principal ${principal}`, why };
    }),
    ...idle.map(({ principal, proof, session }): Loss => {
      const why = `it opens no session ${session} on the page, and upstream knows no other use of it`;
      return { subject: `principal ${principal}`, what: proof, why };
    }),
    ...shared.map(({ principal, passphrase }): Loss => {
      const why = "upstream has each credential once, and it is another account's already";
      return { subject: `principal ${principal}`, what: `passphrase ${passphrase}`, why };
    }),
    ...collectSshKeys(accounts).left.map(
      ({ principal, why }): Loss => ({ subject: `principal ${principal}`, what: "a key", why }),
    ),
  ];
}

function collectNarrowingLosses({ tables }: Policy): readonly Loss[] {
  return tables.rows
    .filter(({ task, worker, phaseIndex }) => (task !== "" && phaseIndex === 0) || worker !== "")
    .map(({ session, task, worker }) => {
      const [kind, name] = worker === "" ? ["task", task] : ["worker", worker];
      return { subject: `${kind} ${session}.${name}`, what: "it", why: "upstream has no conversations to narrow" };
    });
}

function collectMachineLosses({ storage, network, collector, secrets }: Policy): readonly Loss[] {
  const createLoss = (subject: string, why: string): Loss => ({ subject, what: "it", why });
  return [
    { subject: "image", what: "a signature of the manifest", why: "upstream's loader and kernel check none" },
    ...(storage === undefined ? [] : [createLoss("storage", "which disk is upstream's own to find")]),
    ...(network === undefined
      ? []
      : [
          createLoss(
            "network",
            "upstream's manifest names no addresses: a program that holds network_manager has them",
          ),
        ]),
    ...(collector === undefined ? [] : [createLoss("collector", "upstream sends no audit anywhere")]),
    ...secrets.map(({ name }) =>
      createLoss(`secret ${name}`, "upstream's manifest has no place for a sealed credential"),
    ),
  ];
}

/** Renders a loss for a person, in one line. */
export function renderLoss({ subject, what, why }: Loss): string {
  return `${subject}: ${what === "it" ? "" : `${what}: `}${why}`;
}
