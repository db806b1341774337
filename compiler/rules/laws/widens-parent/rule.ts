import type { Session } from "../../../phases/bind/index.ts";
import { getLogin, getSessionKind } from "../../../phases/policy/index.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { collectLayers, type OwnLayer } from "../../support/own-layers.ts";
import { widensParent } from "./codes.ts";
import { findWiderLabels } from "./labels.ts";
import { findWiderLimits } from "./limits.ts";
import { findWiderLines } from "./lines.ts";
import type { ParentWidening } from "./parent-widenings.ts";

/**
 * Checks that sessions, tasks, phases and workers only narrow (ruling 5). A separate function checks each kind of
 * property.
 */
export const rule = defineLaw({
  reports: [widensParent],
  check: (page, report) => {
    for (const layer of collectLayers(page.model)) {
      if (layer.damaged || layer.session.damaged) continue;
      const { around, session } = layer;
      const found = around === undefined ? findWiderSession(page, layer) : findWiderInside(page, layer);
      const parent = around === undefined ? (session.base?.id ?? "") : (around.layers.at(-1)?.id ?? session.id);
      for (const { at, what, has } of found) {
        report(widensParent.at(at, { what, has, parent, widens: around === undefined }));
      }
    }
  },
});

function findWiderSession(page: Page, layer: OwnLayer): ParentWidening[] {
  const { session } = layer;
  const { base } = session;
  if (session.relation !== "extends" || base === undefined) return [];
  const lines = findWiderLines(page, layer);
  return [
    ...lines,
    ...findWiderLabels(session, base),
    ...findWiderLimits(session, base),
    ...findOtherKind(session, base),
    ...findLooserLogin(session, base),
  ];
}

/**
 * Returns lines of a task, a phase or a worker that are looser than the rules around it, and limits wider than those of
 * the session. Tasks, phases and workers have no other properties that could be wider.
 */
function findWiderInside(page: Page, layer: OwnLayer): ParentWidening[] {
  return [...findWiderLines(page, layer), ...findWiderLimits(layer.said, layer.session)];
}

function findOtherKind(session: Session, base: Session): ParentWidening[] {
  const { kind } = session;
  const parent = getSessionKind(base)?.name;
  if (kind === undefined || parent === undefined || kind.name === parent) return [];
  return [{ at: kind.span, what: `the kind \`${kind.name}\``, has: `\`kind ${parent}\`, which is fixed` }];
}

/**
 * Returns the line `login passphrase` of a session whose base requires a key. A passphrase is weaker, because it can be
 * guessed, shared or seen by others, while a key proves possession.
 */
function findLooserLogin({ login }: Session, base: Session): ParentWidening[] {
  const parent = getLogin(base)?.login.proof;
  if (login?.proof !== "passphrase" || parent !== "key") return [];
  return [{ at: login.span, what: "`login passphrase`", has: "`login key`" }];
}
