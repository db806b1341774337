import type { Session } from "../../../bind/index.ts";
import { defineLaw } from "../../law.ts";
import { widensParent } from "./codes.ts";
import { widerLabels } from "./labels.ts";
import { widerLimits } from "./limits.ts";
import { widerLines } from "./lines.ts";

/** Ruling 5, for sessions that extend one; each thing that narrows is looked at by a function of its own. */
export const rule = defineLaw({
  reports: [widensParent],
  check: (page, report) => {
    for (const session of page.model.sessions) {
      const { base } = session;
      if (session.relation !== "extends" || base === undefined || session.damaged) continue;
      const wider = [...widerLines(page, session, base), ...widerLabels(session, base), ...widerLimits(session, base)];
      for (const { at, what, has } of [...wider, ...otherKind(session, base)]) {
        report(widensParent.at(at, { what, has, parent: base.id }));
      }
    }
  },
});

function otherKind(session: Session, base: Session) {
  const { kind } = session;
  const parent = inheritedKind(base);
  if (kind === undefined || parent === undefined || kind.name === parent) return [];
  return [{ at: kind.span, what: `the kind \`${kind.name}\``, has: `\`kind ${parent}\`, which is fixed` }];
}

function inheritedKind(session: Session): string | undefined {
  return session.kind?.name ?? (session.base && inheritedKind(session.base));
}
