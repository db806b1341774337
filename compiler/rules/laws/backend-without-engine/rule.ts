import { defineLaw } from "../../support/law.ts";
import { backendWithoutEngine } from "./codes.ts";

/** An engine that was lost to a syntax error was reported. */
export const rule = defineLaw({
  reports: [backendWithoutEngine],
  check: ({ model }, report) => {
    for (const { name, span, node } of model.backends) {
      if (node.engine === undefined && !node.damaged) report(backendWithoutEngine.at(span, { backend: name }));
    }
  },
});
