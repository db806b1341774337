import type { Span } from "../../../../lang/text/index.ts";
import type { Item } from "../../../../lang/tree/index.ts";
import { listItems, type Model } from "../../../phases/bind/index.ts";
import { getLogin, getPrincipals, getServiceRange, selectRowSessions } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { notEnforcedYet } from "./codes.ts";
import { findUnkeptGrants } from "./holding.ts";
import {
  refuseBackendParts,
  refuseLastingQuotas,
  refuseModelParts,
  refuseOtherImages,
  refusePrincipalParts,
  refuseServiceParts,
  refuseUnpricedMoney,
  SERVED,
} from "./parts.ts";
import type { UnenforcedConstruct } from "./refused.ts";

/**
 * Reports every construct that the target cannot enforce. The check for a construct must be deleted here when the
 * target begins to enforce the construct.
 */
export const rule = defineLaw({
  reports: [notEnforcedYet],
  check: ({ trees, model }, report) => {
    for (const tree of trees) refuse(tree.items, report);
    const others = [
      ...refuseTooManyTools(model),
      ...refuseLockedSessions(model),
      ...refuseOtherImages(model),
      ...refuseUndrivenCards(model),
      ...refuseModelsElsewhere(model),
      ...refuseEmbeddersElsewhere(model),
      ...refuseUnreachedBackends(model),
      ...findUnkeptGrants(model),
      ...trees.flatMap((tree) => refuseUnpricedMoney(listItems(tree), model.backends)),
      ...trees.flatMap((tree) => refuseSendsAboveLabel(model, listItems(tree))),
      ...(model.storage === undefined ? trees.flatMap((tree) => refuseLastingQuotas(listItems(tree))) : []),
    ];
    for (const { at, what, instead } of others) report(notEnforcedYet.at(at, { what, instead }));
  },
});

/** Maximum number of tools for which a gate's memory was measured to be sufficient. */
const MAX_TOOLS = 10_000;

function refuseTooManyTools({ tools, system }: Model): UnenforcedConstruct[] {
  if (system === undefined || tools.length <= MAX_TOOLS) return [];
  const instead = `at most ${MAX_TOOLS} are possible: classify only the methods that you need`;
  return [{ at: system.name.span, what: `a system of ${tools.length} tools`, instead }];
}

/**
 * Reports a network on a PC. The image supports only the network card of virtual machines; PCs have hundreds of kinds
 * of network cards.
 */
function refuseUndrivenCards({ network, image }: Model): UnenforcedConstruct[] {
  if (network === undefined || network.address?.text === "none" || image?.machine?.text !== "pc") return [];
  return [{ at: network.node.span, what: "a network of a PC", instead: "write `machine vm`, or leave it out" }];
}

/** Returns backends whose model cannot be used. A model needs weights on the machine, or a provider that serves it. */
function refuseModelsElsewhere({ backends }: Model): UnenforcedConstruct[] {
  return backends.flatMap(({ kind, model, span: at }) => {
    if (model === undefined) return [];
    if (kind === "cpu" && model.path === undefined && model.served !== undefined) {
      return [{ at, what: "a `cpu` backend of a model without `weights`", instead: "name one that has weights" }];
    }
    const isServed = kind !== "remote" || model.served !== undefined;
    return isServed ? [] : [{ at, what: "a `remote` backend of a model that no provider serves", instead: SERVED }];
  });
}

/** Returns embedders that are not on the machine. Texts must not leave the machine to be embedded. */
function refuseEmbeddersElsewhere({ backends }: Model): UnenforcedConstruct[] {
  return backends.flatMap(({ embedder, node, span }) => {
    if (embedder === undefined || embedder.path !== undefined || embedder.served === undefined) return [];
    const at = node.attributes.find(({ kind }) => kind === "embedder")?.span ?? span;
    return [{ at, what: "an `embedder` that is not in the machine", instead: "name a model that has `weights`" }];
  });
}

function refuseUnreachedBackends({ backends, network }: Model): UnenforcedConstruct[] {
  if (network !== undefined && network.address?.text !== "none") return [];
  const instead = "write `network { address dhcp }`";
  return backends
    .filter(({ kind }) => kind === "remote")
    .map(({ span }) => ({ at: span, what: "a `remote` backend without a network", instead }));
}

/**
 * Returns sessions other than the boot session that have principals but no login. Without a login, any person at the console
 * could open them: the keys of the principals are needed only for step-up.
 */
function refuseLockedSessions(model: Model): UnenforcedConstruct[] {
  const boot = model.image?.boot;
  if (boot === undefined) return [];
  return selectRowSessions(model)
    .filter((session) => session !== boot && !session.damaged && getLogin(session) === undefined)
    .filter((session) => getPrincipals(session).length > 0)
    .map(({ id, node }) => ({
      at: node.attributes.find(({ kind }) => kind === "principals")?.span ?? node.name.span,
      what: `principals of the session \`${id}\`, which any person may open,`,
      instead: `write \`login key\` or \`login passphrase\` in it, or leave its principals out`,
    }));
}

/**
 * Returns methods whose `sends` label is above the label of their service, if the service has no network grant. The
 * gate would refuse such data, although the page allows it.
 */
function refuseSendsAboveLabel(model: Model, items: readonly Item[]): UnenforcedConstruct[] {
  return items.flatMap((item) => {
    if (item.kind !== "interface") return [];
    const services = model.services.filter(
      (service) => !service.networked && service.interface.name === item.name.text,
    );
    return item.methods.flatMap(({ name, facts }) => {
      const { sends } = model.interfaces.find((face) => face.name === item.name.text)?.methods.get(name.text) ?? {};
      const below = services.find((service) => sends !== undefined && !isBelow(sends, getServiceRange(service).high));
      if (below === undefined) return [];
      const instead = `write a label that \`${below.name}\` may hold, or a higher \`label\` in that service`;
      const what = "`sends` above the label of a provider without a network grant";
      return facts.filter(({ kind }) => kind === "sends").map(({ span }) => ({ at: span, what, instead }));
    });
  });
}

function refuse(items: readonly Item[], report: Report): void {
  for (const item of items) {
    if (item.kind === "system") refuse(item.items, report);
    else for (const { at, what, instead } of refuseItem(item)) report(notEnforcedYet.at(at, { what, instead }));
  }
}

function refuseItem(item: Exclude<Item, { kind: "system" }>): readonly UnenforcedConstruct[] {
  const refuseWhole = (at: Span, what: string, instead: string): readonly UnenforcedConstruct[] => [
    { at, what, instead },
  ];
  switch (item.kind) {
    case "model":
      return refuseModelParts(item);
    case "worker":
      return refuseWhole(item.name.span, "a worker", "leave it out");
    case "ingress":
      return refuseWhole(item.name.span, "an ingress", "leave it out: only the console can send messages to a session");
    case "backend":
      return refuseBackendParts(item);
    case "service":
      return refuseServiceParts(item);
    case "principal":
      return refusePrincipalParts(item);
    case "interface":
    case "release":
    case "redaction":
    case "session":
    case "task":
    // No image enforces waivers, assertions and tests: the prover uses waivers and assertions, and `capc test` runs
    // tests.
    case "waive":
    case "assert":
    case "network":
    case "test":
    case "image":
    case "use":
    case "levels":
    case "compartments":
    case "category":
    case "let":
    case "storage":
    case "audit":
      return [];
  }
}
