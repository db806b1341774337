import { getQuotas, selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/index.ts";
import { sessionWithoutQuota } from "./codes.ts";

export const rule = defineLaw({
  reports: [sessionWithoutQuota],
  check: ({ model }, report) => {
    for (const session of selectRowSessions(model).filter(({ damaged }) => !damaged)) {
      if (getQuotas(session).size > 0) continue;
      report(sessionWithoutQuota.at(session.node.name.span, { session: session.id }));
    }
  },
});
