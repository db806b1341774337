import { formatSecrecy } from "../../../../engine/lib/policy/index.ts";
import type { Span } from "../../../../lang/text/index.ts";
import { NETWORK_INTERFACES, type Service } from "../../../phases/bind/index.ts";
import { getServiceRange, indexServices, isFileStore, isPatchStore } from "../../../phases/policy/index.ts";
import { isForUpstream } from "../../../phases/policy/upstream/graph.ts";
import { findUsedServices } from "../../support/answers.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import {
  grantAboveLabel,
  grantAboveTrust,
  grantCycle,
  grantNotProvided,
  grantTwice,
  grantUnused,
  grantWider,
  patchesWithoutFiles,
} from "./codes.ts";
import { findCycles } from "./cycles.ts";
import { findScopesBeyond } from "./scopes.ts";

/**
 * Checks the grants of services: the target must exist, the scope must not exceed the rights of the target, and the
 * grant must be used.
 */
export const rule = defineLaw({
  reports: [
    grantAboveLabel,
    grantAboveTrust,
    grantCycle,
    grantNotProvided,
    grantTwice,
    grantUnused,
    grantWider,
    patchesWithoutFiles,
  ],
  check: (page, report) => {
    const services = indexServices(page.model);
    for (const service of services.values()) checkPatches(services, service, report);
    const holders = page.model.services.filter(({ grants }) => grants.length > 0);
    if (holders.length === 0) return;
    for (const { names, closing } of findCycles(services)) report(grantCycle.at(closing, { cycle: names }));
    const used = findUsedServices(page);
    for (const holder of holders) {
      checkTargets(page, services, holder, report);
      const [first] = holder.grants;
      // On upstream's kernel, init starts each program even if no session calls it, so its grants may be used.
      if (first === undefined || used.has(holder.name) || page.model.damaged || isForUpstream(page.model)) continue;
      report(grantUnused.at(first.node.span, { service: holder.name }));
    }
  },
});

function checkTargets(page: Page, services: ReadonlyMap<string, Service>, holder: Service, report: Report): void {
  const seen = new Set<string>();
  for (const { to, scopes, node } of holder.grants) {
    const at = node.to.span;
    // The laws `upstream-names` and `upstream-exports` check grants of kernel sources and of exports. The law `plans`
    // checks grants of sessions, which are for action plans.
    if (to.kind === "kernel" || to.kind === "session") continue;
    if (isForUpstream(page.model) && to.kind === "service") {
      const service = services.get(to.name);
      if (service !== undefined) checkLabels(page, { service, holder, at }, report);
      continue;
    }
    if (seen.size === seen.add(to.name).size) report(grantTwice.at(at, { to: to.name }));
    if (to.kind === "interface") {
      if (!page.provided.has(to.name) && !NETWORK_INTERFACES.has(to.name))
        report(grantNotProvided.at(at, { face: to.name }));
      continue;
    }
    const service = services.get(to.name);
    if (service === undefined) continue;
    for (const { scope, has } of findScopesBeyond(scopes, service)) {
      report(grantWider.at(scope.span, { scope: scope.value, holder: service.name, has }));
    }
    checkLabels(page, { service, holder, at }, report);
  }
}

/** A granted service, its holder, and the position of the grant on the page. */
interface Grant {
  readonly service: Service;
  readonly holder: Service;
  readonly at: Span;
}

/**
 * Checks the labels of a service with a grant. The results of the service must be at least as secret, and at most as
 * trusted, as the data that it can read through the grant.
 */
function checkLabels({ model }: Page, { service, holder, at }: Grant, report: Report): void {
  const [held, own] = [getServiceRange(service).high, getServiceRange(holder).high];
  const names = { service: service.name, holder: holder.name };
  if (!isBelow(held, own)) {
    const levels = { level: formatSecrecy(model.lattice, held), own: formatSecrecy(model.lattice, own) };
    report(grantAboveLabel.at(at, { ...names, ...levels }));
  }
  if (held.integrity >= own.integrity) return;
  const [trust = "", ownTrust = ""] = [held, own].map(({ integrity }) => model.lattice.integrity[integrity]);
  report(grantAboveTrust.at(at, { ...names, trust, own: ownTrust }));
}

/** Checks patch sets: each needs exactly one granted service, whose provider is the image's file store. */
function checkPatches(services: ReadonlyMap<string, Service>, holder: Service, report: Report): void {
  if (!isPatchStore(holder)) return;
  const [grant, ...others] = holder.grants;
  const held = grant?.to.kind === "service" ? services.get(grant.to.name) : undefined;
  if (held !== undefined && isFileStore(held) && others.length === 0) return;
  // `grants` lacks the grants of unknown names. These were reported already, so nothing further is reported about this
  // service.
  const written = holder.node.attributes.filter(({ kind }) => kind === "grant");
  if (written.length > holder.grants.length) return;
  const what =
    grant === undefined
      ? "has no grant"
      : others.length > 0
        ? "has more than one grant"
        : "has a grant of something else";
  report(patchesWithoutFiles.at(holder.node.name.span, { service: holder.name, what }));
}
