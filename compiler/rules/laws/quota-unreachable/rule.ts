import type { BoundQuota, Model, Session } from "../../../phases/bind/index.ts";
import { getQuotas, listBases, listExtended, selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { collectLayers, computeAnswersWithin, type OwnLayer } from "../../support/own-layers.ts";
import { NOBODY_ASKED, quotaUnreachable } from "./codes.ts";
import { deriveHappenings } from "./countable-events.ts";
import { combineQuotas, findUsedUpBefore } from "./order.ts";

/**
 * Checks ruling 18 for quotas: it must be possible that each quota is used up. An amount of zero is already reported
 * when the quota is bound.
 */
export const rule = defineLaw({
  reports: [quotaUnreachable],
  check: (page, report) => {
    const categories = new Map(page.model.categories.map((category) => [category.name, category]));
    const begun = findSessionsWithTasks(page.model);
    for (const layer of collectLayers(page.model)) {
      const written = getLayerQuotas(layer);
      if (written.length === 0) continue;
      const inherited = [...getQuotas(layer.session).values()].map(({ quota }) => quota);
      // A quota per task in a session applies only inside the session's tasks.
      const counted = [...inherited, ...layer.said.quotas].filter(
        ({ scope }) => scope !== "task" || layer.kind !== "session",
      );
      const held = combineQuotas(counted);
      const unused = createUnusedCheck(page, layer);
      for (const quota of written) {
        const first = findUsedUpBefore(quota, held, categories);
        const why =
          explainPerCall(quota) ??
          explainPerTask(page.model, layer, begun, quota) ??
          (first && `\`${first.words}\` is used up before`) ??
          unused(quota);
        if (why !== undefined) report(quotaUnreachable.at(quota.node.span, { quota: quota.words, why }));
      }
    }
  },
});

function getLayerQuotas({ said, widenings }: OwnLayer): BoundQuota[] {
  return [...said.quotas, ...widenings.flatMap(({ quotas }) => quotas)];
}

function explainPerCall({ unit, scope }: BoundQuota): string | undefined {
  const counted = unit === "calls" || unit === "category" || unit === "prompts";
  return counted && scope === "call" ? "each call counts only once" : undefined;
}

/**
 * Returns the reason for which a quota per task counts nothing, or `undefined` if it counts something. A session's
 * quota applies in its own tasks, and in the tasks of sessions that use this session as their base.
 */
function explainPerTask(
  model: Model,
  { kind, session }: OwnLayer,
  begun: ReadonlySet<Session>,
  { scope }: BoundQuota,
): string | undefined {
  if (scope !== "task" || kind !== "session" || model.damaged || session.damaged) return undefined;
  return begun.has(session) ? undefined : "no task can begin here";
}

function findSessionsWithTasks(model: Model): ReadonlySet<Session> {
  const written = new Set(model.tasks.map(({ session }) => session));
  const found = new Set<Session>();
  for (const session of selectRowSessions(model)) {
    if (!listExtended(session).some((at) => written.has(at))) continue;
    for (const at of listBases(session)) found.add(at);
  }
  return found;
}

/**
 * Returns a function that explains why a quota counts nothing. The returned function returns `undefined` for a quota
 * that counts something. For an abstract or damaged session it always returns `undefined`, because the session's events
 * are unknown.
 */
function createUnusedCheck(page: Page, layer: OwnLayer): (quota: BoundQuota) => string | undefined {
  const { session, damaged } = layer;
  if (session.abstract || damaged || session.damaged || page.model.damaged) return () => undefined;
  const happens = deriveHappenings(page.model, session, computeAnswersWithin(page, layer));
  const gates = hasGatesElsewhere(page.model);
  return ({ unit, name }) => {
    if (unit === "category" && !happens.categories.has(name)) return `no tool of \`${name}\` can run here`;
    if (unit === "prompts" && !happens.prompts && !gates) return NOBODY_ASKED;
    return undefined;
  };
}

/** Returns whether the page has phases, releases or workers, about which a person may be asked too. */
function hasGatesElsewhere({ tasks, releases, workers }: Model): boolean {
  return tasks.length > 0 || releases.length > 0 || workers.length > 0;
}
