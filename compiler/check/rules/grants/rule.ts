import { secrecyText } from "../../../../engine/policy/index.ts";
import { NETWORK_INTERFACES, type Service } from "../../../bind/index.ts";
import { rangeOfService } from "../../../policy/index.ts";
import { usedServices } from "../../answers.ts";
import { isBelow } from "../../labels.ts";
import { defineLaw, type Page, type Report } from "../../law.ts";
import { grantAboveLabel, grantCycle, grantNotProvided, grantTwice, grantUnused, grantWider } from "./codes.ts";
import { cyclesIn } from "./cycles.ts";
import { scopesBeyond } from "./scopes.ts";

/** What services may use: each grant leads somewhere, is no wider than what it leads to, and can be used by somebody. */
export const rule = defineLaw({
  reports: [grantAboveLabel, grantCycle, grantNotProvided, grantTwice, grantUnused, grantWider],
  check: (page, report) => {
    const holders = page.model.services.filter(({ grants }) => grants.length > 0);
    if (holders.length === 0) return;
    const services = new Map(page.model.services.map((service) => [service.name, service]));
    for (const { names, closing } of cyclesIn(services)) report(grantCycle.at(closing, { cycle: names }));
    const used = usedServices(page);
    for (const holder of holders) {
      checkTargets(page, services, holder, report);
      const [first] = holder.grants;
      if (first === undefined || used.has(holder.name) || page.model.damaged) continue;
      report(grantUnused.at(first.node.span, { service: holder.name }));
    }
  },
});

function checkTargets(page: Page, services: ReadonlyMap<string, Service>, holder: Service, report: Report): void {
  const seen = new Set<string>();
  for (const { to, scopes, node } of holder.grants) {
    const at = node.to.span;
    if (seen.size === seen.add(to.name).size) report(grantTwice.at(at, { to: to.name }));
    if (to.kind === "interface") {
      if (!page.provided.has(to.name) && !NETWORK_INTERFACES.has(to.name))
        report(grantNotProvided.at(at, { face: to.name }));
      continue;
    }
    const service = services.get(to.name);
    if (service === undefined) continue;
    for (const { scope, has } of scopesBeyond(scopes, service)) {
      report(grantWider.at(scope.span, { scope: scope.value, holder: service.name, has }));
    }
    const [held, own] = [rangeOfService(service).high, rangeOfService(holder).high];
    if (isBelow(held, own)) continue;
    const levels = { level: secrecyText(page.model.lattice, held), own: secrecyText(page.model.lattice, own) };
    report(grantAboveLabel.at(at, { service: service.name, holder: holder.name, ...levels }));
  }
}
