import { answersIn, canRun, placesOf } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { emptyPhase } from "./codes.ts";

/** A task without phases is one phase itself. */
export const rule = defineLaw({
  reports: [emptyPhase],
  check: ({ model, resolution }, report) => {
    for (const place of placesOf(model)) {
      const { session, task, phase, worker } = place;
      if (task === undefined || worker !== undefined || task.damaged || session.damaged) continue;
      if (model.damaged || answersIn(model, resolution, place).some(canRun)) continue;
      const { node } = phase ?? task;
      const facts = { what: phase === undefined ? "task" : "phase", name: node.name.text, session: session.id };
      report(emptyPhase.at(node.name.span, facts));
    }
  },
});
