import { selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/index.ts";
import { toolsNotCovered } from "./codes.ts";

/** Reports tools that never run because no line covers them (ruling 2), once for each session. */
export const rule = defineLaw({
  reports: [toolsNotCovered],
  check: ({ model, resolution }, report) => {
    for (const session of selectRowSessions(model).filter(({ damaged }) => !damaged)) {
      const answers = resolution.get(session) ?? [];
      const tools = model.tools.filter((_, index) => {
        const answer = answers[index];
        return answer !== undefined && !answer.suppressed && answer.clauses.length === 0;
      });
      // If no rule covers any tool, a law reports an error instead.
      if (tools.length === 0 || tools.length === model.tools.length) continue;
      const names = tools.map(({ name }) => name);
      report(toolsNotCovered.at(session.node.name.span, { session: session.id, tools: names }));
    }
  },
});
