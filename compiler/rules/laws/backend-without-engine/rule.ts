import { defineLaw } from "../../support/law.ts";
import { backendWithoutEngine } from "./codes.ts";

/** Reports backends without an engine. A backend whose engine has a syntax error is not reported again. */
export const rule = defineLaw({
  reports: [backendWithoutEngine],
  check: ({ model }, report) => {
    for (const { name, span, node } of model.backends) {
      if (node.engine === undefined && !node.damaged) report(backendWithoutEngine.at(span, { backend: name }));
    }
  },
});
