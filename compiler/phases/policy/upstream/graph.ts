// Reads the grants of a page of `target capos`: laws report faults in grants, and `lower.ts` leaves faulty grants out.

import { accept, type Result, refuse } from "../../../../engine/lib/result/result.ts";
import type { Name, Words } from "../../../../lang/tree/index.ts";
import { FORWARDED, findKernelSource, type KernelSource } from "../../../../targets/contract/kernel-sources.ts";
import { type CapWords, readCapWords } from "../../../../targets/contract/upstream-words.ts";
import type { BoundGrant, BoundUpstream, Model, Service } from "../../bind/index.ts";

/** Returns whether the page is for upstream's kernel. */
export function isForUpstream({ image }: Pick<Model, "image">): boolean {
  return image?.target?.text === "capos";
}

/** Returns the page's settings for upstream's kernel, or `undefined` if the page has another target. */
export function getUpstream(model: Pick<Model, "image">): BoundUpstream | undefined {
  return isForUpstream(model) ? model.image?.upstream : undefined;
}

/** A grant, and the words of its scopes. */
export interface ReadGrant {
  readonly grant: BoundGrant;
  /** Part of the kernel that provides the capability; `undefined` if a service of the page provides it. */
  readonly kernel: KernelSource | undefined;
  readonly words: CapWords;
  readonly unreadable: readonly { readonly at: Words; readonly why: string }[];
  /** Name of the capability in the CapSet of the process that gets the grant. */
  readonly name: string;
}

/** Returns the grants in the page's order. */
export function readGrants({ grants }: Service): readonly ReadGrant[] {
  return grants.map(readGrant);
}

function readGrant(grant: BoundGrant): ReadGrant {
  const { words, unreadable } = readCapWords(grant.scopes.map(({ value }) => value));
  const source = grant.to.kind === "kernel" ? grant.to.name.replace(/^kernel\./, "") : undefined;
  const at = unreadable.flatMap(({ index, why }) => {
    const scope = grant.scopes[index];
    return scope === undefined ? [] : [{ at: scope, why }];
  });
  return {
    grant,
    kernel: source === undefined ? undefined : findKernelSource(source),
    words,
    unreadable: at,
    name: words.name ?? source ?? grant.to.name,
  };
}

/** Returns those kernel grants of a service that the service exports to other services, in the order of its grants. */
export function findExports(service: Service): readonly ReadGrant[] {
  return readGrants(service).filter(({ kernel, words }) => kernel !== undefined && words.isExported);
}

/**
 * Returns the capability that a grant takes from the exports of `provider`. Returns `undefined` if the provider does
 * not export the capability that the grant names. If the grant names none, returns the only export, or `undefined` if
 * there is not exactly one.
 */
export function exportMeant({ words }: ReadGrant, provider: Service): ReadGrant | undefined {
  const exported = findExports(provider);
  if (words.export !== undefined) return exported.find(({ name }) => name === words.export);
  return exported.length === 1 ? exported[0] : undefined;
}

export interface InitCap {
  readonly kernel: KernelSource;
  readonly words: CapWords;
  readonly name: string;
  /**
   * Place of the value of the setting `init` from which this capability was read. If the page has no setting `init`,
   * this is `undefined`, and init has the capabilities of `PLAIN_INIT`.
   */
  readonly at: Name | undefined;
}

/** Capabilities that init needs to read its manifest, to start other processes and to print. */
const PLAIN_INIT = ["console", "process_spawner", "boot_package"];

/**
 * Reads all values of the setting `init`, each of the form `source [as NAME] [badge N] [discloses WORD]…`. `unreadable`
 * has the values that are invalid, with the reasons.
 */
export function initCaps(upstream: BoundUpstream): {
  readonly caps: readonly InitCap[];
  readonly unreadable: readonly { readonly at: Name; readonly why: string }[];
} {
  if (upstream.init.length === 0) {
    const caps = PLAIN_INIT.map((name) => initCap(name, undefined));
    return { caps: caps.flatMap((cap) => (cap.ok ? [cap.value] : [])), unreadable: [] };
  }
  const caps: InitCap[] = [];
  const unreadable: { at: Name; why: string }[] = [];
  for (const at of upstream.init) {
    const cap = initCap(at.text, at);
    if (!cap.ok) unreadable.push({ at, why: cap.reason });
    else caps.push(cap.value);
  }
  return { caps, unreadable };
}

function initCap(text: string, at: Name | undefined): Result<InitCap> {
  const [source = "", ...rest] = text.split(" ");
  const kernel = findKernelSource(source);
  if (kernel === undefined) return refuse(`upstream's kernel hands out nothing that is called \`${source}\``);
  const pairs = rest.flatMap((_, index) => (index % 2 === 0 ? [rest.slice(index, index + 2).join(" ")] : []));
  const { words, unreadable } = readCapWords(pairs);
  const [fault] = unreadable;
  if (fault !== undefined) return refuse(fault.why);
  if (words.isExported || words.export !== undefined) return refuse("init exports nothing");
  return accept({ kernel, words, name: words.name ?? source, at });
}

/**
 * Returns the grant of init that upstream passes on to a service. It has the source of the service's grant and, if
 * possible, also its name. If none has this name, the only grant with this source is returned. Returns `undefined` if
 * init has no grant with this source, or has several.
 */
export function findForwardedCap(caps: readonly InitCap[], { kernel, name }: ReadGrant): InitCap | undefined {
  const same = caps.filter((cap) => cap.kernel === kernel);
  return same.find((cap) => cap.name === name) ?? (same.length === 1 ? same[0] : undefined);
}

export function isForwarded({ name }: KernelSource): boolean {
  return FORWARDED.has(name);
}
