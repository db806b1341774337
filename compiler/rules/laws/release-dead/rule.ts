import { isWithin, type Release, type Tool } from "../../../phases/bind/index.ts";
import {
  canRun,
  computeAnswers,
  computeSink,
  enumeratePlaces,
  indexServices,
  resolveLabel,
  type Services,
  selectReleases,
} from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { releaseDead } from "./codes.ts";

/** Checks ruling 18 for releases: with a release, data must reach at least one tool that it cannot reach without it. */
export const rule = defineLaw({
  reports: [releaseDead],
  check: ({ model, resolution }, report) => {
    if (model.damaged) return;
    const services = indexServices(model);
    for (const release of model.releases) {
      const reasons = release.pattern.tools.map(
        (tool) => explainDead(release, tool, services) ?? explainDeadInTask({ model, resolution }, release, tool),
      );
      const [why = "no service of the page has it"] = reasons;
      if (!reasons.every((reason) => reason !== undefined)) continue;
      const facts = { act: release.act, tool: release.node.tool.text, why: why ?? "" };
      report(releaseDead.at(release.node.tool.span, facts));
    }
  },
});

/** Returns the reason for which the tool of a release can never run in the release's task, or `undefined` if it can. */
function explainDeadInTask(
  { model, resolution }: Pick<Page, "model" | "resolution">,
  release: Release,
  tool: Tool,
): string | undefined {
  if (release.task === undefined) return undefined;
  const index = model.tools.indexOf(tool);
  const isOpen = enumeratePlaces(model).some(
    (place) => selectReleases([release], place).length > 0 && canRun(computeAnswers(model, resolution, place)[index]),
  );
  return isOpen ? undefined : `it never runs in the task \`${release.task.name}\``;
}

/**
 * Returns why a release is useless for a tool: the arguments may flow there anyway, or not even with the release.
 * Returns `undefined` if the release is useful.
 */
function explainDead(release: Release, { service, method }: Tool, services: Services): string | undefined {
  if (isWithin(method.category, "readOnly") && !service.networked) {
    return "the arguments of a read-only call on this machine need no release";
  }
  const sink = computeSink(service, method, services);
  const from = resolveLabel(release.from, 0);
  const to = resolveLabel(release.to, sink.integrity);
  const [needed, enough] =
    release.act === "declassify"
      ? [!isBelow(from, sink), isBelow(to, sink)]
      : [from.integrity < sink.integrity, to.integrity >= sink.integrity];
  if (!needed) return "the data may flow there without this release";
  return enough ? undefined : "even with this release the arguments must not flow there";
}
