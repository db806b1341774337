import type { InheritedAssertion, Model } from "../../bind/index.ts";
import type { Asked } from "./claims.ts";
import type { System } from "./system.ts";

// Lists the claims to check on a page: its own assertions in their order, and the inherited ones that depend on
// conversations. The other inherited assertions are about the graph of processes.

/** Returns the claims of all assertions of the page, in the order of the page. */
export function askedOf(model: Model): Asked[] {
  return model.assertions.map(({ claim, subject, withoutReleases }) => ({
    claim,
    subject,
    withoutReleases,
    waived: [],
  }));
}

export const BY_CONVERSATIONS = ["trifecta", "remote-clearance", "anonymous-asks", "guest-local"] as const;

/** Returns the claims that decide the inherited assertion `name`, or `undefined` if it is waived for the whole page. */
export function askedForAll(system: System, model: Model, name: InheritedAssertion): Asked[] | undefined {
  const waivers = model.waivers.filter(({ assertion }) => assertion === name);
  if (waivers.some(({ session }) => session === undefined)) return undefined;
  const waived = waivers.flatMap(({ session }) => session?.id ?? []);
  return claimsOf(system, name).map((claim) => ({ claim, subject: undefined, withoutReleases: false, waived }));
}

function claimsOf({ tables }: System, name: InheritedAssertion): Asked["claim"][] {
  if (name === "trifecta") return [{ kind: "never-trifecta" }];
  if (name === "anonymous-asks" || name === "guest-local") return [{ kind: name }];
  const remote = [...tables.backends.entries()].filter(([, { local }]) => !local);
  return name === "remote-clearance" ? remote.map(([backend]) => ({ kind: name, backend })) : [];
}
