// Collects facts of a page with `target capos` that do not concern tools: the capabilities of upstream's first process
// and of the services, and the services that are restarted.

import type { UpstreamCap, UpstreamPlan } from "../../../targets/contract/upstream-plan.ts";
import { type FactContent, measureMembers, measureRank, WORD } from "./facts.ts";

export function collectUpstreamFacts(plan: UpstreamPlan): readonly FactContent[] {
  return [
    ...plan.init.map((cap) => makeCapabilityFact(`init holds ${cap.name}`, cap)),
    ...listOptionalFact("the machine ends with", plan.exits),
    // Another kernel or boot loader may do anything, so its change is neither wider nor narrower.
    ...(plan.kernel === "" ? [] : [makeIdentityFact("kernel", plan.kernel)]),
    ...(plan.limine === "" ? [] : [makeIdentityFact("loader", plan.limine)]),
    ...listOptionalFact("host name", plan.hostname),
    ...listOptionalFact("message of the day", plan.motd),
    ...listOptionalFact("log level", plan.logLevel),
    {
      what: "policy tables in the manifest",
      value: plan.carriesTables ? "yes" : "no",
      measure: measureRank(plan.carriesTables ? 0 : 1),
      without: "other",
    },
  ];
}

/**
 * Returns the facts of the service with the name `service`; empty if the service is not a process of upstream's kernel.
 */
export function collectUpstreamServiceFacts(plan: UpstreamPlan | undefined, service: string): readonly FactContent[] {
  return (plan?.services ?? [])
    .filter(({ name }) => name === service)
    .flatMap(({ binary, caps, exports, restart }): FactContent[] => [
      ...caps.map((cap) => makeCapabilityFact(`capability ${cap.name}`, cap)),
      ...exports.map(
        (name): FactContent => ({ what: `exports ${name}`, value: "yes", measure: WORD, without: "less" }),
      ),
      ...listOptionalFact("program upstream", binary),
      ...listOptionalFact("started again", restart),
    ]);
}

/**
 * Returns the fact of a session's kind, such as `operator`. Upstream's accounts of the session have this kind. The
 * shell that a key of such an account opens depends on the kind too.
 */
export function makeAccountKindFact(kind: string): FactContent {
  return { ...makeIdentityFact("kind of its accounts", kind), without: "told" };
}

function listOptionalFact(what: string, value: string): readonly FactContent[] {
  return value === "" ? [] : [{ what, value, measure: WORD, without: "other" }];
}

function makeIdentityFact(what: string, value: string): FactContent {
  return { what, value, measure: measureMembers([value]), without: "other" };
}

/**
 * Returns the fact of a capability. The fact contains the source and the badge, because they may change under the same
 * name. A capability is wider if it tells its holder more about a session, such as `auth_strength`.
 */
function makeCapabilityFact(what: string, { source, badge, discloses }: UpstreamCap): FactContent {
  const from = source.kind === "kernel" ? source.kernel.name : `${source.service}.${source.export}`;
  const parts = [badge === 0n ? from : `${from}, badge ${badge}`, ...discloses];
  return { what, value: parts.join(", "), measure: measureMembers(parts), without: "less" };
}
