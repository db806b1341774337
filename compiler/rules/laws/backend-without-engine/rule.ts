import { defineLaw } from "../../support/law.ts";
import { backendWithoutEngine } from "./codes.ts";

/** Reports backends without an engine. An engine that a syntax error removed was already reported. */
export const rule = defineLaw({
  reports: [backendWithoutEngine],
  check: ({ model }, report) => {
    for (const { name, span, node } of model.backends) {
      if (node.engine === undefined && !node.damaged) report(backendWithoutEngine.at(span, { backend: name }));
    }
  },
});
