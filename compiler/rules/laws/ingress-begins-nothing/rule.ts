import type { Ingress } from "../../../phases/bind/index.ts";
import { getTaskRequirement } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { ingressBeginsNothing } from "./codes.ts";

/**
 * Checks that a conversation can begin at the target of each ingress. In a session that requires a task, and in a task
 * with parameters, an ingress cannot begin a conversation.
 */
export const rule = defineLaw({
  reports: [ingressBeginsNothing],
  check: ({ model }, report) => {
    for (const ingress of model.ingresses) {
      const fault = findFault(ingress);
      if (fault === undefined) continue;
      report(ingressBeginsNothing.at(ingress.node.into.span, { ingress: ingress.name, ...fault }));
    }
  },
});

function findFault({ into }: Ingress): { readonly why: string; readonly instead: string } | undefined {
  if (into.kind === "task") {
    const { id, parameters } = into.task;
    const why = `the task \`${id}\` has parameters, whose values only a person may choose`;
    return parameters.length === 0 ? undefined : { why, instead: "name a task without parameters" };
  }
  if (getTaskRequirement(into.session) === undefined) return undefined;
  const why = `the session \`${into.session.id}\` requires a task`;
  return { why, instead: "name a session that does not require one" };
}
