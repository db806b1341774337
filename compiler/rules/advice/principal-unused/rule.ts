import { defineLaw } from "../../support/index.ts";
import { principalUnused } from "./codes.ts";

export const rule = defineLaw({
  reports: [principalUnused],
  check: ({ model }, report) => {
    if (model.damaged || model.sessions.some(({ damaged }) => damaged)) return;
    const named = new Set(model.sessions.flatMap(({ principals }) => principals ?? []));
    for (const principal of model.principals) {
      if (!named.has(principal)) report(principalUnused.at(principal.node.name.span, { principal: principal.name }));
    }
  },
});
