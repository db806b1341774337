import type { Span } from "../../../../lang/text/index.ts";
import type { Item } from "../../../../lang/tree/index.ts";
import { itemsOf, type Model } from "../../../phases/bind/index.ts";
import { loginOf, principalsOf, rowSessions } from "../../../phases/policy/index.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { notEnforcedYet } from "./codes.ts";
import { unkeptGrants } from "./holding.ts";
import {
  backendParts,
  imageParts,
  lastingQuotas,
  modelParts,
  principalParts,
  SERVED,
  serviceParts,
  unpricedMoney,
} from "./parts.ts";
import type { Refused } from "./refused.ts";

/** What the target cannot do: the whole list, so that it is removed from here when the target can. */
export const rule = defineLaw({
  reports: [notEnforcedYet],
  check: ({ trees, model }, report) => {
    for (const tree of trees) refuse(tree.items, report);
    const others = [
      ...tooManyTools(model),
      ...lockedSessions(model),
      ...undrivenCards(model),
      ...modelsElsewhere(model),
      ...embeddersElsewhere(model),
      ...unreachedBackends(model),
      ...unkeptGrants(model),
      ...trees.flatMap((tree) => unpricedMoney(itemsOf(tree), model.backends)),
      ...trees.flatMap((tree) => inertSends(model, itemsOf(tree))),
      ...(model.storage === undefined ? trees.flatMap((tree) => lastingQuotas(itemsOf(tree))) : []),
    ];
    for (const { at, what, instead } of others) report(notEnforcedYet.at(at, { what, instead }));
  },
});

/** What the gate of an image, with the memory that it has, was seen to hold. */
const MAX_TOOLS = 10_000;

function tooManyTools({ tools, system }: Model): Refused[] {
  if (system === undefined || tools.length <= MAX_TOOLS) return [];
  const instead = `at most ${MAX_TOOLS} are held: classify the methods that are needed, and leave the others out`;
  return [{ at: system.name.span, what: `a system of ${tools.length} tools`, instead }];
}

/** Virtual machines have one kind of card, PCs have hundreds. */
function undrivenCards({ network, image }: Model): Refused[] {
  if (network === undefined || network.address?.text === "none" || image?.machine?.text !== "pc") return [];
  return [{ at: network.node.span, what: "a network of a PC", instead: "write `machine vm`, or leave it out" }];
}

/** A model is in the machine, where it has weights, or at a provider's, who serves it. */
function modelsElsewhere({ backends }: Model): Refused[] {
  return backends.flatMap(({ kind, model, span: at }) => {
    if (model === undefined) return [];
    if (kind === "cpu" && model.path === undefined && model.served !== undefined) {
      return [{ at, what: "a `cpu` backend of a model without `weights`", instead: "name one that has weights" }];
    }
    const isServed = kind !== "remote" || model.served !== undefined;
    return isServed ? [] : [{ at, what: "a `remote` backend of a model that no provider serves", instead: SERVED }];
  });
}

/** Nobody else is told what is said in order to make vectors of it. */
function embeddersElsewhere({ backends }: Model): Refused[] {
  return backends.flatMap(({ embedder, node, span }) => {
    if (embedder === undefined || embedder.path !== undefined || embedder.served === undefined) return [];
    const at = node.attributes.find(({ kind }) => kind === "embedder")?.span ?? span;
    return [{ at, what: "an `embedder` that is not in the machine", instead: "name a model that has `weights`" }];
  });
}

function unreachedBackends({ backends, network }: Model): Refused[] {
  if (network !== undefined && network.address?.text !== "none") return [];
  const instead = "write `network { address dhcp }`";
  return backends
    .filter(({ kind }) => kind === "remote")
    .map(({ span }) => ({ at: span, what: "a `remote` backend without a network", instead }));
}

/** Whoever sits at the console may be in any session without a login: nothing asks for a key in the others but step-up. */
function lockedSessions(model: Model): Refused[] {
  const boot = model.image?.boot;
  if (boot === undefined) return [];
  return rowSessions(model)
    .filter((session) => session !== boot && !session.damaged && loginOf(session) === undefined)
    .filter((session) => principalsOf(session).length > 0)
    .map(({ id, node }) => ({
      at: node.attributes.find(({ kind }) => kind === "principals")?.span ?? node.name.span,
      what: `principals of the session \`${id}\`, which anybody may open,`,
      instead: `write \`login key\` or \`login passphrase\` in it, or leave its principals out`,
    }));
}

/** What a provider may send is read where it has a network grant; elsewhere its arguments flow to its own label. */
function inertSends(model: Model, items: readonly Item[]): Refused[] {
  const networked = new Set(
    model.services.filter((service) => service.networked).map((service) => service.interface.name),
  );
  return items.flatMap((item) => {
    if (item.kind !== "interface" || networked.has(item.name.text)) return [];
    const facts = item.methods.flatMap((method) => method.facts.filter(({ kind }) => kind === "sends"));
    const instead = "leave it out, or say `label` of the service: arguments flow to that";
    return facts.map(({ span }) => ({ at: span, what: "`sends` of a provider without a network grant", instead }));
  });
}

function refuse(items: readonly Item[], report: Report): void {
  for (const item of items) {
    if (item.kind === "system") refuse(item.items, report);
    else for (const { at, what, instead } of refusedIn(item)) report(notEnforcedYet.at(at, { what, instead }));
  }
}

function refusedIn(item: Exclude<Item, { kind: "system" }>): readonly Refused[] {
  const whole = (at: Span, what: string, instead: string): readonly Refused[] => [{ at, what, instead }];
  switch (item.kind) {
    case "model":
      return modelParts(item);
    case "worker":
      return whole(item.name.span, "a worker", "leave it out");
    case "ingress":
      return whole(item.name.span, "an ingress", "leave it out: only the console talks to a session");
    case "backend":
      return backendParts(item);
    case "service":
      return serviceParts(item);
    case "principal":
      return principalParts(item);
    case "image":
      return imageParts(item);
    case "interface":
    case "release":
    case "session":
    case "task":
    // Said once by a warning of its own: not proved. Tests are run by a command, never by an image.
    case "waive":
    case "assert":
    case "network":
    case "test":
      return [];
    case "use":
    case "levels":
    case "compartments":
    case "category":
    case "storage":
      return [];
  }
}
