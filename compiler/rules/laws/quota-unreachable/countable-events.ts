import { listLineage, type Model, type Session } from "../../../phases/bind/index.ts";
import { type Answer, canRun, getModels, getSessionOfPlans } from "../../../phases/policy/index.ts";
import { isGate } from "../../support/answers.ts";

/** Events in a session that a quota can count. */
interface Happenings {
  /** Categories of the tools that can run, including all parent categories. */
  readonly categories: ReadonlySet<string>;
  /** Whether a prompt can occur. */
  readonly prompts: boolean;
}

export function deriveHappenings(model: Model, session: Session, answers: readonly Answer[]): Happenings {
  const runnable = model.tools.filter((_, index) => canRun(answers[index]));
  // A plan that is marked as dangerous always causes a prompt, whatever the page states.
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
