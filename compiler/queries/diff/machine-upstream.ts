// What a page of `target capos` says beside tools: what upstream's first process and its services hold, and who is started again.

import type { UpstreamCap, UpstreamPlan } from "../../../targets/contract/upstream-plan.ts";
import { among, ranked, type Says, WORD } from "./facts.ts";

export function upstreamFacts(plan: UpstreamPlan): readonly Says[] {
  return [
    ...plan.init.map((cap) => capability(`init holds ${cap.name}`, cap)),
    ...said("the machine ends with", plan.exits),
    // Another kernel, or loader of it, may do anything.
    ...(plan.kernel === "" ? [] : [another("kernel", plan.kernel)]),
    ...(plan.limine === "" ? [] : [another("loader", plan.limine)]),
    ...said("host name", plan.hostname),
    ...said("message of the day", plan.motd),
    ...said("log level", plan.logLevel),
    {
      what: "policy tables in the manifest",
      says: plan.carriesTables ? "yes" : "no",
      measure: ranked(plan.carriesTables ? 0 : 1),
      without: "other",
    },
  ];
}

/** Of the service of that name; nothing where it is no process upstream. */
export function upstreamServiceFacts(plan: UpstreamPlan | undefined, service: string): readonly Says[] {
  return (plan?.services ?? [])
    .filter(({ name }) => name === service)
    .flatMap(({ binary, caps, exports, restart }): Says[] => [
      ...caps.map((cap) => capability(`capability ${cap.name}`, cap)),
      ...exports.map((name): Says => ({ what: `exports ${name}`, says: "yes", measure: WORD, without: "less" })),
      ...said("program upstream", binary),
      ...said("started again", restart),
    ]);
}

/** A session's kind is that of its accounts upstream, and of the shells that their keys open. */
export function accountKind(kind: string): Says {
  return { ...another("kind of its accounts", kind), without: "told" };
}

function said(what: string, says: string): readonly Says[] {
  return says === "" ? [] : [{ what, says, measure: WORD, without: "other" }];
}

function another(what: string, says: string): Says {
  return { what, says, measure: among([says]), without: "other" };
}

/** Under one name another thing may be held, as somebody else; and the more of a session is disclosed the wider. */
function capability(what: string, { source, badge, discloses }: UpstreamCap): Says {
  const from = source.kind === "kernel" ? source.kernel.name : `${source.service}.${source.export}`;
  const parts = [badge === 0n ? from : `${from}, badge ${badge}`, ...discloses];
  return { what, says: parts.join(", "), measure: among(parts), without: "less" };
}
