import { listLineage, type Model, type Session } from "../../../phases/bind/index.ts";
import { type Answer, canRun, getModels, getSessionOfPlans } from "../../../phases/policy/index.ts";
import { isGate } from "../../support/answers.ts";

/** Events in a session that a quota could count. */
interface Happenings {
  /** Categories of tools that can run, with their ancestors. */
  readonly categories: ReadonlySet<string>;
  /** Whether something asks a person. */
  readonly prompts: boolean;
}

export function deriveHappenings(model: Model, session: Session, answers: readonly Answer[]): Happenings {
  const runnable = model.tools.filter((_, index) => canRun(answers[index]));
  // A person is asked about a plan that is marked as dangerous, whatever the page states.
  const isPlanned = model.services.some((service) => getSessionOfPlans(service) === session.id);
  const used = new Set(runnable.map((tool) => tool.method.category));
  return {
    categories: new Set([...used].flatMap((category) => listLineage(category).map(({ name }) => name))),
    prompts: isPlanned || answers.some(canAsk) || getModels(session).some(({ mode }) => isGate(mode)),
  };
}

function canAsk(answer: Answer): boolean {
  if (!canRun(answer)) return false;
  const modes = [
    ...answer.clauses.flatMap(({ met, otherwise }) => [met, otherwise]),
    ...answer.floors.map(({ floor }) => floor.mode),
  ];
  return modes.some((mode) => mode !== undefined && isGate(mode));
}
