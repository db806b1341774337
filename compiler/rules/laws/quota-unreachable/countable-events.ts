import { type Category, listLineage, type Model, type Session } from "../../../phases/bind/index.ts";
import { type Answer, canRun, getModels, getSessionOfPlans } from "../../../phases/policy/index.ts";
import { isGate } from "../../support/answers.ts";

/** Events in a session that a quota could count. */
interface Happenings {
  /** Categories of tools that can run, with their ancestors. */
  readonly categories: ReadonlySet<string>;
  /** Whether a person may be asked for approval: of a call, of a plan, or of the use of a model. */
  readonly prompts: boolean;
}

export function deriveHappenings(model: Model, session: Session, answers: readonly Answer[]): Happenings {
  const used = collectRunnableCategories(model, answers);
  // A person is asked about a plan that is marked as dangerous, whatever the page states.
  const isPlanned = model.services.some((service) => getSessionOfPlans(service) === session.id);
  return {
    categories: new Set([...used].flatMap((category) => listLineage(category).map(({ name }) => name))),
    prompts: isPlanned || answers.some(canAsk) || getModels(session).some(({ mode }) => isGate(mode)),
  };
}

function collectRunnableCategories({ tools }: Model, answers: readonly Answer[]): ReadonlySet<Category> {
  // Many tools have the same answer and the same category, so each combination is examined once.
  const used = new Map<Answer, Set<Category>>();
  for (let index = 0; index < tools.length; index++) {
    const answer = answers[index];
    const category = tools[index]?.method.category;
    if (answer === undefined || category === undefined) continue;
    const categories = used.get(answer);
    if (categories === undefined) used.set(answer, new Set([category]));
    else categories.add(category);
  }
  return new Set([...used].flatMap(([answer, categories]) => (canRun(answer) ? [...categories] : [])));
}

function canAsk(answer: Answer): boolean {
  if (!canRun(answer)) return false;
  const modes = [
    ...answer.clauses.flatMap(({ met, otherwise }) => [met, otherwise]),
    ...answer.floors.map(({ floor }) => floor.mode),
  ];
  return modes.some((mode) => mode !== undefined && isGate(mode));
}
