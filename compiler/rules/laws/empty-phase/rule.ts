import type { Span } from "../../../../lang/text/index.ts";
import { canRun, computeAnswers, enumeratePlaces, type Place } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { emptyPhase } from "./codes.ts";

/**
 * Checks that each phase has a tool that can run. A task without phases counts as one phase. A worker can be started in
 * several places, and is reported if it has no usable tool in any of them.
 */
export const rule = defineLaw({
  reports: [emptyPhase],
  check: ({ model, resolution }, report) => {
    if (model.damaged) return;
    const hasRunnableTool = (place: Place): boolean => computeAnswers(model, resolution, place).some(canRun);
    const places = enumeratePlaces(model).filter(({ session, task }) => !session.damaged && task?.damaged !== true);
    for (const place of places) {
      const { session, task, phase, worker } = place;
      if (task === undefined || worker !== undefined || hasRunnableTool(place)) continue;
      const { node } = phase ?? task;
      const what = phase === undefined ? "task" : "phase";
      report(emptyPhase.at(node.name.span, { what, name: node.name.text, session: session.id }));
    }
    for (const [at, started] of Map.groupBy(places, nameOfWorker)) {
      const [first] = started;
      if (at === undefined || first?.worker === undefined || first.worker.damaged || started.some(hasRunnableTool))
        continue;
      report(emptyPhase.at(at, { what: "worker", name: first.worker.name, session: first.worker.within.session.id }));
    }
  },
});

function nameOfWorker({ worker }: Place): Span | undefined {
  return worker?.node.name.span;
}
