import type { Model, Phase } from "../../../phases/bind/index.ts";
import {
  type Answer,
  computeAnswers,
  enumeratePlaces,
  isAtLeastAsStrict,
  type Place,
} from "../../../phases/policy/index.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { phaseNeedsGate } from "./codes.ts";

/**
 * Checks ruling 8: a gate precedes each phase in which some decision is looser than in the previous phase. If it is
 * uncertain whether a decision is looser, it counts as looser. Each phase is reported once, for the first session in
 * which a decision is looser.
 */
export const rule = defineLaw({
  reports: [phaseNeedsGate],
  check: (page, report) => {
    const reported = new Set<Phase>();
    for (const { place, before } of collectSteps(page.model)) {
      const { phase, session } = place;
      if (phase === undefined || phase.after !== undefined || reported.has(phase)) continue;
      const tool = findFirstLooser(page, place, before);
      if (tool === undefined) continue;
      reported.add(phase);
      const facts = { phase: phase.name, before: before.phase?.name ?? "", tool, session: session.id };
      report(phaseNeedsGate.at(phase.node.name.span, facts));
    }
  },
});

interface Step {
  readonly place: Place;
  readonly before: Place;
}

/** Returns the pairs of consecutive phases of each session and task. */
function collectSteps(model: Model): Step[] {
  const places = enumeratePlaces(model).filter(
    ({ task, worker, session }) => task && !worker && !task.damaged && !session.damaged,
  );
  return places.flatMap((place, index) => {
    const before = places[index - 1];
    return before !== undefined && before.task === place.task && before.session === place.session
      ? [{ place, before }]
      : [];
  });
}

function findFirstLooser({ model, resolution }: Page, place: Place, before: Place): string | undefined {
  const answers: readonly Answer[] = computeAnswers(model, resolution, place);
  const earlier = computeAnswers(model, resolution, before);
  // Tools with the same decisions share one answer object, so each pair of answers is compared only once.
  const compared = new Map<Answer, Set<Answer>>();
  return model.tools.find((_, index) => {
    const [answer, other] = [answers[index], earlier[index]];
    if (answer === undefined || other === undefined) return false;
    const others = compared.get(answer) ?? new Set();
    if (others.has(other)) return false;
    compared.set(answer, others.add(other));
    return !isAtLeastAsStrict(answer, other);
  })?.name;
}
