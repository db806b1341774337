import type { Span } from "../../../../lang/text/index.ts";
import type { Model, Service } from "../../../bind/index.ts";
import { principalsOf, rowSessions } from "../../../policy/index.ts";
import { grantsOf, initCaps, isForUpstream } from "../../../policy/upstream/graph.ts";
import { defineLaw, type Report } from "../../law.ts";
import { upstreamName } from "./codes.ts";

/** Of a name in the page of capabilities that each process has, and how many there are (capos-config 0.1.0, src/capset.rs). */
const MOST_NAME_BYTES = 32;
const MOST_CAPS = 85;
/** Of accounts and profiles (src/validation.rs). */
const MOST_ACCOUNT_BYTES = 64;

/** Names that upstream takes and its kernel cannot hold, or that it would confuse. */
export const rule = defineLaw({
  reports: [upstreamName],
  check: ({ model }, report) => {
    if (!isForUpstream(model) || model.image === undefined) return;
    for (const service of model.services) checkCaps(capsOf(service), report);
    checkCaps(
      initCaps(model.image.upstream).caps.flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at: at.span }])),
      report,
    );
    checkAccounts(model, report);
  },
});

interface Named {
  readonly name: string;
  readonly at: Span;
}

function capsOf(service: Service): readonly Named[] {
  return grantsOf(service).map(({ name, grant }) => ({ name, at: grant.node.to.span }));
}

function checkCaps(caps: readonly Named[], report: Report): void {
  const seen = new Set<string>();
  for (const [index, { name, at }] of caps.entries()) {
    const why = faultOf(name, seen) ?? (index === MOST_CAPS ? `a process holds at most ${MOST_CAPS}` : undefined);
    if (why !== undefined) report(upstreamName.at(at, { name, why }));
    seen.add(name);
  }
}

function faultOf(name: string, seen: ReadonlySet<string>): string | undefined {
  if (!name.isWellFormed()) return "it is no text";
  const bytes = Buffer.byteLength(name);
  if (bytes > MOST_NAME_BYTES) return `it has ${bytes} bytes, and ${MOST_NAME_BYTES} is the most`;
  return seen.has(name) ? "the holder has another thing of this name" : undefined;
}

/** An account is known by its name in lower case, and has the name of a principal, or of a session without any. */
function checkAccounts(model: Model, report: Report): void {
  const seen = new Map<string, string>();
  for (const session of rowSessions(model)) {
    const people = principalsOf(session).map(({ name, node }) => ({ name, at: node.name.span }));
    for (const { name, at } of [...people, { name: session.id, at: session.node.name.span }]) {
      const before = seen.get(name.toLowerCase());
      const why = faultOfAccount(name, before);
      if (why !== undefined && before !== name) report(upstreamName.at(at, { name, why }));
      if (before === undefined) seen.set(name.toLowerCase(), name);
    }
  }
}

function faultOfAccount(name: string, before: string | undefined): string | undefined {
  if (before !== undefined) return `upstream takes it for \`${before}\``;
  return name.length > MOST_ACCOUNT_BYTES ? `an account's name has at most ${MOST_ACCOUNT_BYTES} bytes` : undefined;
}
