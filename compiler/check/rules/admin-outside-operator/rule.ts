import { isWithin } from "../../../bind/index.ts";
import { kindOf, outcomesOfLine, reachOf } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { adminOutsideOperator } from "./codes.ts";

/** Ruling 7. Broad lines such as `auto *` are narrowed silently; one that speaks of admin tools alone is a mistake. */
export const rule = defineLaw({
  reports: [adminOutsideOperator],
  check: ({ model }, report) => {
    for (const session of model.sessions.filter(({ own }) => own)) {
      const kind = kindOf(session)?.name;
      if (kind === undefined || kind === "operator") continue;
      for (const line of session.lines) {
        if (reachOf([outcomesOfLine(line)]).loosest === "forbidden") continue;
        for (const { tools, span } of line.patterns) {
          const [first] = tools;
          const admin = tools.every((tool) => isWithin(tool.method.category, "admin"));
          if (first !== undefined && admin) report(adminOutsideOperator.at(span, { tool: first.name, kind }));
        }
      }
    }
  },
});
