import { defineLaw } from "../../support/law.ts";
import { misplacedInherit } from "./codes.ts";

/**
 * Reports lines with `inherit` in sessions that do not extend another session. `inherit` is always valid in tasks,
 * phases and workers, because they are in a session.
 */
export const rule = defineLaw({
  reports: [misplacedInherit],
  check: ({ model }, report) => {
    for (const session of model.sessions) {
      if (!session.own || session.damaged || session.relation === "extends") continue;
      for (const { node } of session.lines) {
        if (!node.isInherited) continue;
        report(misplacedInherit.at(node.mode.span, { session: session.id, base: session.base?.id }));
      }
    }
  },
});
