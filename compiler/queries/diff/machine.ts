// Collects facts about the machine that a page describes and that the tables do not contain. They concern services and
// the addresses that they may reach, models, storage, network and image. Each plan has a table of its fields. A new
// field of a plan does not compile until this table states its effect.

import { formatLabel } from "../../../engine/lib/policy/index.ts";
import type { Model, Service } from "../../phases/bind/index.ts";
import {
  type ImagePlan,
  indexServices,
  type NetworkPlan,
  type Policy,
  type ServicePlan,
  type StoragePlan,
  serializeValue,
} from "../../phases/policy/index.ts";
import { computeSha256 } from "./digest.ts";
import { type Fact, type FactContent, measureMembers, measureRank, measureRegions, WORD } from "./facts.ts";
import { collectBackendFacts } from "./machine-backends.ts";
import { collectUpstreamFacts, collectUpstreamServiceFacts, makeAccountKindFact } from "./machine-upstream.ts";
import { collectScopeFacts } from "./scope-facts.ts";

/** A compiled page. */
interface Machine {
  readonly policy: Policy;
  /**
   * Backends and services as the page declares them. They are needed beside the policy: without a build it has no
   * backends, and it lacks grants that an image cannot provide yet.
   */
  readonly model: Pick<Model, "backends" | "services">;
}

const OF_POLICY = {
  // Compared separately.
  tables: () => [],
  services: ({ policy, model }) => {
    const services = indexServices(model);
    return policy.services.flatMap((plan) => collectServiceFacts(plan, policy, services.get(plan.name)));
  },
  backends: ({ model }) => model.backends.flatMap(collectBackendFacts),
  storage: ({ policy: { storage } }) => (storage === undefined ? [] : collectStorageFacts(storage)),
  // A backend names its embedder, so the facts about backends report embedders.
  embedders: () => [],
  // Only a build reads secrets, so they are not compared. The facts about scopes report the servers to which secrets
  // are sent.
  secrets: () => [],
  network: ({ policy: { network } }) => (network === undefined ? [] : collectNetworkFacts(network)),
  collector: ({ policy: { collector } }) =>
    collector === undefined ? [] : [KEPT_ELSEWHERE, ...collectScopeFacts(COLLECTOR, collector)],
  image: ({ policy }) => [...deriveFacts({ place: "image" }, OF_IMAGE, policy.image), ...collectAccountFacts(policy)],
} as const satisfies Readonly<Record<keyof Policy, (machine: Machine) => readonly Fact[]>>;

const COLLECTOR = { place: "collector of the audit" };
/**
 * Fact of a log that is also sent to a collector. Without a collector, anybody who controls the machine can remove or
 * change every record.
 */
const KEPT_ELSEWHERE: Fact = { ...COLLECTOR, ...makeWordFact("records", "are sent to it", "more") };

export function collectMachineFacts(machine: Machine): readonly Fact[] {
  return Object.values(OF_POLICY).flatMap((say): readonly Fact[] => say(machine));
}

type FactDerivations<T> = { readonly [Field in keyof T]-?: (plan: T) => readonly FactContent[] };

function deriveFacts<T>(of: Pick<Fact, "place" | "owner">, derivations: FactDerivations<T>, plan: T): readonly Fact[] {
  return Object.values<FactDerivations<T>[keyof T]>(derivations).flatMap((say) =>
    say(plan).map((said) => ({ ...of, ...said })),
  );
}

/** Returns a fact that identifies an object: a different value means a different object. */
function makeIdentityFact(what: string, value: string, without: Fact["without"]): FactContent {
  return { what, value, measure: measureMembers([value]), without };
}

function makeWordFact(what: string, value: string, without: Fact["without"]): FactContent {
  return { what, value, measure: WORD, without };
}

function collectServiceFacts(plan: ServicePlan, policy: Policy, service: Service | undefined): readonly Fact[] {
  const { name, scope } = plan;
  const of = { place: `service ${name}`, owner: { kind: "service", name } } as const;
  return [
    ...deriveFacts(of, createServiceTellers(policy), plan),
    ...(scope === undefined ? [] : collectScopeFacts(of, scope, "below")),
    ...[
      ...collectUpstreamServiceFacts(policy.image.upstream, name),
      // Reports grants of interfaces that the system itself has. A page may contain such grants although images do not
      // provide these interfaces yet.
      ...(scope === undefined && service !== undefined ? collectInterfaceGrants(service) : []),
    ].map((said) => ({ ...of, ...said })),
  ];
}

/**
 * Returns functions that derive facts from each field of a service. A new service needs only one fact here, because the
 * facts from the tables report its tools.
 */
function createServiceTellers({ services, tables }: Policy): FactDerivations<ServicePlan> {
  return {
    name: () => [],
    interfaceName: ({ interfaceName, interfaceId }) => [
      makeIdentityFact("interface", `${interfaceName} 0x${interfaceId.toString(16)}`, "told"),
    ],
    interfaceId: () => [],
    implementation: ({ implementation }) => [makeIdentityFact("answered by", implementation, "other")],
    own: ({ own }) => {
      if (own === undefined) return [];
      // The field `holds` reports the capabilities of the program, so they are left out here.
      const { held: _, ...methods } = own.methods;
      const program = `${own.path}, SHA-256 ${computeSha256(own.bytes)}`;
      const list = `${methods.methods.length}, SHA-256 ${computeSha256(serializeValue({ ...methods, toolList: [...methods.toolList] }))}`;
      return [makeIdentityFact("program", program, "told"), makeIdentityFact("methods of its program", list, "told")];
    },
    // The field `standard` needs no fact, because the fact about the program of the service also reports it.
    standard: () => [],
    scope: () => [],
    holds: ({ name, holds = [] }) =>
      holds.map((held) => {
        const within = services.find((one) => one.name === held.name)?.within;
        const folders = within?.find(({ holder }) => holder === name)?.folders;
        return {
          what: `holds ${held.name}`,
          value: folders?.join(", ") ?? "all of it",
          measure: measureRegions(folders?.map((path) => ({ root: "", path }))),
          without: "less",
        };
      }),
    session: ({ session }) =>
      session === undefined ? [] : [makeIdentityFact("executes plans in the name of", session, "other")],
    // The field `within` states the folders of each grant. It needs no fact, because `holds` of the service that has
    // the grant reports them.
    within: () => [],
    stateBytes: ({ stateBytes }) =>
      stateBytes === 0
        ? []
        : [
            {
              what: "bytes on the data disk",
              value: String(stateBytes),
              measure: measureRank(stateBytes),
              without: "less",
            },
          ],
    // This fact has no direction, because the facts about the labels of the tools' results and arguments show whether
    // the change widens.
    label: ({ label }) => [makeWordFact("label", formatLabel(tables.lattice, label), "told")],
  };
}

function collectInterfaceGrants({ grants }: Service): readonly FactContent[] {
  return grants.flatMap(({ to, scopes }): FactContent[] => {
    // The facts about upstream's plan report grants from the kernel.
    if (to.kind !== "interface") return [];
    const words = scopes.map(({ value }) => value);
    const value = words.length === 0 ? "all of it" : words.join(", ");
    return [
      {
        what: `grant of ${to.name}`,
        value,
        measure: measureMembers(words.length === 0 ? undefined : words),
        without: "less",
      },
    ];
  });
}

function collectAccountFacts({ tables, image }: Policy): readonly Fact[] {
  const sessions = tables.rows.filter(({ task, worker }) => task === "" && worker === "");
  return image.upstream === undefined
    ? []
    : sessions.map(({ session, kind }) => ({
        place: session,
        owner: { kind: "session", name: session },
        ...makeAccountKindFact(kind),
      }));
}

export function collectStorageFacts(storage: StoragePlan): readonly Fact[] {
  return deriveFacts({ place: "storage" }, OF_STORAGE, storage);
}

const OF_STORAGE: FactDerivations<StoragePlan> = {
  disk: ({ disk }) => [makeIdentityFact("disk", disk, "other")],
  encrypted: ({ encrypted }) => [
    { what: "encryption", value: encrypted ? "yes" : "no", measure: measureRank(encrypted ? 0 : 1), without: "other" },
  ],
  create: ({ create }) => (create ? [makeWordFact("a blank disk", "is made into it", "less")] : []),
};

export function collectNetworkFacts(network: NetworkPlan): readonly Fact[] {
  const of = { place: "network" };
  switch (network.which) {
    case "dhcp":
      return [{ ...of, ...makeIdentityFact("address", "dhcp", "less") }];
    case "fixed":
      return deriveFacts(of, OF_FIXED, network.fixed);
  }
}

const OF_FIXED: FactDerivations<Extract<NetworkPlan, { which: "fixed" }>["fixed"]> = {
  address: ({ address, prefix }) => [makeIdentityFact("address", `${address}/${prefix}`, "less")],
  prefix: () => [],
  router: ({ router }) => (router === "" ? [] : [makeIdentityFact("router", router, "less")]),
  resolvers: ({ resolvers }) =>
    resolvers.length === 0 ? [] : [makeIdentityFact("resolvers", resolvers.join(", "), "other")],
};

const OF_IMAGE: FactDerivations<ImagePlan> = {
  // A change is reported, because another target may enforce less of the policy.
  target: ({ target }) => [makeIdentityFact("target", target, "other")],
  upstream: ({ upstream }) => (upstream === undefined ? [] : collectUpstreamFacts(upstream)),
  machine: ({ machine }) => [makeWordFact("machine", machine, "other")],
  // A change is reported, because other people may use the new console.
  console: ({ console }) => [makeWordFact("console", console, "other")],
  firmware: ({ firmware }) => [
    { what: "started by", value: firmware.join(", "), measure: measureMembers(firmware), without: "other" },
  ],
  trust: ({ trust }) => [
    { what: "trust", value: trust, measure: measureRank(trust === "sealed" ? 0 : 1), without: "other" },
  ],
  memoryBytes: ({ memoryBytes }) => [makeWordFact("bytes of memory of the machine", String(memoryBytes), "other")],
  // A change is reported, because the new session may have more rights than the old one.
  boot: ({ boot }) => [{ what: "session that boots", value: boot, measure: measureMembers([boot]), without: "other" }],
};
