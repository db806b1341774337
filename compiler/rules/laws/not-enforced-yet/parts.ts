import { findLibraryService } from "../../../../engine/lib/roles/index.ts";
import type {
  BackendAttribute,
  BackendNode,
  Item,
  ModelNode,
  Name,
  PrincipalNode,
  QuotaEntry,
  ServiceNode,
  Words,
} from "../../../../lang/tree/index.ts";
import type { Backend, Model } from "../../../phases/bind/index.ts";
import { SETTING_WORDS } from "../../../phases/bind/settings.ts";
import { DIALECTS, getProviderPlace, isDialect } from "../../../phases/policy/index.ts";
import type { UnenforcedConstruct } from "./refused.ts";

const ENGINES = 'use `stub "replies.json"`, `cpu` with a model, or `remote`';

/**
 * Attributes of backends that each engine supports. All engines also support clearance, log, quotas and an embedder. An
 * embedder runs on the machine of the image, whatever the engine.
 */
const HELD = {
  stub: [],
  cpu: ["model", "threads", "memory"],
  remote: ["model", "token"],
} as const satisfies Readonly<Record<string, readonly BackendAttribute["kind"][]>>;

const UNHELD = {
  stub: "leave it out: canned replies need none",
  cpu: "leave it out: no part of the image implements it",
  remote: "leave it out: no part of the image implements it",
} as const;

export function refuseBackendParts({ engine, attributes, name }: BackendNode): UnenforcedConstruct[] {
  const kind = engine?.kind ?? "stub";
  if (kind === "gpu" || kind === "browser")
    return [{ at: engine?.span ?? name.span, what: `a \`${kind}\` backend`, instead: ENGINES }];
  const refused = attributes.flatMap((attribute) => refuseBackendAttribute(attribute, kind));
  const strange = engine?.kind === "remote" ? refuseProviderParts(engine.provider, engine.address) : [];
  if (kind === "stub" || attributes.some((attribute) => attribute.kind === "model")) return [...strange, ...refused];
  const instead = kind === "cpu" ? "name one that has weights" : SERVED;
  return [{ at: name.span, what: `a \`${kind}\` backend without a model`, instead }, ...strange, ...refused];
}

/** Advice on how a page names a provider's model. */
export const SERVED = 'say `model NAME` in it, and `model NAME { served "gpt-4o-mini" }` beside it';

function refuseProviderParts(provider: Name, address: Words): UnenforcedConstruct[] {
  if (!isDialect(provider.text)) {
    const instead = `write \`remote ${DIALECTS.join("` or `remote ")}\`, whichever the provider speaks`;
    return [{ at: provider.span, what: `the dialect \`${provider.text}\``, instead }];
  }
  if (getProviderPlace(provider.text, address.value) !== undefined) return [];
  const instead = 'write scheme, server and path as they are, e.g. `"https://llm.example.net/v1"`';
  return [{ at: address.span, what: "an address of this form", instead }];
}

function refuseBackendAttribute(attribute: BackendAttribute, engine: keyof typeof HELD): UnenforcedConstruct[] {
  const { kind, span } = attribute;
  if (kind === "quota") return attribute.entries.flatMap(refuseBackendQuota);
  const held: readonly BackendAttribute["kind"][] = HELD[engine];
  if (kind === "clearance" || kind === "log" || kind === "embedder" || held.includes(kind)) return [];
  return [{ at: span, what: `\`${kind}\` of a backend`, instead: UNHELD[engine] }];
}

/**
 * Returns quotas of a backend that cannot be enforced. A backend can only limit calls, tokens and money, counted over
 * all sessions.
 */
function refuseBackendQuota({ unit, span }: QuotaEntry): UnenforcedConstruct[] {
  if (["calls", "tokens"].includes(unit.text) || isCurrency(unit.text)) return [];
  const instead = "count `calls`, its answers, `tokens` or money";
  return [{ at: span, what: `a backend's quota of \`${unit.text}\``, instead }];
}

export function refuseModelParts({ attributes, name }: ModelNode): UnenforcedConstruct[] {
  const accept = attributes.flatMap((attribute) => (attribute.kind === "accept" ? [attribute.span] : []));
  const unmeasured = accept.map((at) => ({
    at,
    what: "`accept` of a model",
    instead: "leave it out: nobody has measured these weights",
  }));
  const odd = attributes.flatMap((attribute) =>
    attribute.kind === "served" ? refuseServedParts(attribute.words) : [],
  );
  if (attributes.some(({ kind }) => kind === "weights" || kind === "served")) return [...odd, ...unmeasured];
  return [{ at: name.span, what: "a model without `weights`", instead: 'say where they are: `weights "FILE.gguf"`' }];
}

/** Refuses a model name with special characters, because the name is copied unchanged into requests and into the audit log. */
function refuseServedParts({ value, span }: Words): UnenforcedConstruct[] {
  if (/^[\w.:/@-]{1,128}$/.test(value)) return [];
  const instead = 'write it as the provider does: letters, digits and `.:/@_-`, e.g. `"gpt-4o-mini"`';
  return [{ at: span, what: "a model of this name", instead }];
}

/**
 * Returns grants of an interface of the system, which a service of the page cannot use. `holding.ts` checks grants of
 * other services of the page.
 */
export function refuseServiceParts(service: ServiceNode): UnenforcedConstruct[] {
  return service.attributes.flatMap((attribute) => {
    if (attribute.kind !== "grant" || isOfThePage(attribute.to) || isReach(service, attribute)) return [];
    const instead = "leave it out, or grant a service of the page with this interface";
    return [{ at: attribute.span, what: "a grant of an interface to a service", instead }];
  });
}

function isOfThePage(reference: ServiceNode["interface"]): boolean {
  return /^[a-z]/.test(getLastName(reference));
}

/**
 * Returns whether a grant states the servers that a network service may contact. Such a grant is of the interface that
 * the service itself has.
 */
function isReach(
  { interface: face, attributes }: ServiceNode,
  { to }: { readonly to: ServiceNode["interface"] },
): boolean {
  const name = getLastName(face);
  const isServed = findLibraryService(name)?.by === "egress" && attributes.every(({ kind }) => kind !== "exec");
  return isServed && name === getLastName(to);
}

function getLastName({ parts }: ServiceNode["interface"]): string {
  return parts.at(-1)?.text ?? "";
}

/** Returns quotas of money in a currency in which no price is stated. Money is counted by the price of the backend that answers. */
export function refuseUnpricedMoney(items: readonly Item[], backends: readonly Backend[]): UnenforcedConstruct[] {
  return items
    .flatMap(collectQuotaEntries)
    .filter(({ unit }) => isCurrency(unit.text) && !isPriced(unit.text, backends))
    .map(({ unit, span }) => ({
      at: span,
      what: `a quota of \`${unit.text}\` without prices in it`,
      instead: `say \`price 0.15 ${unit.text}, 0.60 ${unit.text}\` of each remote backend's \`model\`; backends in the machine cost nothing`,
    }));
}

function isCurrency(unit: string): boolean {
  return /^[A-Z]{3}$/.test(unit);
}

/**
 * Returns whether there is a remote backend, and all remote backends have a price in this currency. Backends on the
 * machine cost nothing.
 */
function isPriced(currency: string, backends: readonly Backend[]): boolean {
  const remote = backends.filter(({ kind }) => kind === "remote");
  return remote.length > 0 && remote.every(({ model }) => model?.price?.currency === currency);
}

/**
 * Returns quotas per principal or per day. Such quotas last longer than one run of the machine, so without a data disk
 * every call would be refused.
 */
export function refuseLastingQuotas(items: readonly Item[]): UnenforcedConstruct[] {
  return items
    .flatMap(collectQuotaEntries)
    .filter(({ scope }) => ["principal", "day"].includes(scope.text))
    .map(({ scope, span }) => ({
      at: span,
      what: `a quota per ${scope.text} without a data disk`,
      instead: 'write `storage { disk "capos-data" }`, or count per call, turn, conversation, task, login or hour',
    }));
}

function collectQuotaEntries(item: Item): readonly QuotaEntry[] {
  if (item.kind === "backend") {
    return item.attributes.flatMap((attribute) => (attribute.kind === "quota" ? attribute.entries : []));
  }
  if (item.kind !== "session" && item.kind !== "task") return [];
  return item.attributes.flatMap((attribute): readonly QuotaEntry[] => {
    if (attribute.kind === "quota") return attribute.entries;
    if (attribute.kind === "widen") {
      return attribute.changes.flatMap((change) => (change.kind === "quota" ? change.entries : []));
    }
    if (attribute.kind !== "phase") return [];
    return attribute.attributes.flatMap((inner) => (inner.kind === "quota" ? inner.entries : []));
  });
}

export function refusePrincipalParts({ proofs }: PrincipalNode): UnenforcedConstruct[] {
  return proofs
    .filter(({ kind }) => kind === "passkey")
    .map(({ span }) => ({
      at: span,
      what: "`passkey`",
      instead: 'write `ssh "keys/NAME.pub"` or `passphrase "NAME"`',
    }));
}

/** Targets and machines for which an image can be built. */
const ENFORCED = { target: SETTING_WORDS.target, machine: SETTING_WORDS.machine } as const;

export function refuseOtherImages({ image }: Model): UnenforcedConstruct[] {
  return (["target", "machine"] as const).flatMap((name) => {
    const word = image?.[name];
    const enforced: readonly string[] = ENFORCED[name];
    if (word === undefined || enforced.includes(word.text)) return [];
    return [{ at: word.span, what: `this \`${name}\``, instead: `write \`${name} ${enforced.join("` or `")}\`` }];
  });
}
