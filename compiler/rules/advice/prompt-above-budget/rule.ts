import type { Session, Tool } from "../../../phases/bind/index.ts";
import { getModels, isCovered, selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/index.ts";
import { promptAboveBudget } from "./codes.ts";

/**
 * Context in tokens that is assumed if no backend of the session states it. Small models on one processor usually have
 * such a context.
 */
const USUAL_CONTEXT = 8192;
/** Characters for each token: an estimate for English text and JSON, because each model has its own tokenizer. */
const CHARACTERS_PER_TOKEN = 4;

/** Reports sessions whose tools need more than half of the context. The other half is for prompts, results and answers. */
export const rule = defineLaw({
  reports: [promptAboveBudget],
  check: (page, report) => {
    const lengths = page.model.tools.map(measureTool);
    for (const session of selectRowSessions(page.model).filter(({ damaged }) => !damaged)) {
      const answers = page.resolution.get(session) ?? [];
      const told = lengths.filter((_, index) => isCovered(answers[index]));
      const length = told.reduce((sum, one) => sum + one, 0);
      const tokens = Math.ceil(length / CHARACTERS_PER_TOKEN);
      const { context, whose } = computeContext(session);
      if (tokens * 2 <= context) continue;
      const facts = { session: session.id, tools: told.length, tokens, context, whose };
      report(promptAboveBudget.at(session.node.name.span, facts));
    }
  },
});

/** Returns the number of characters in a tool's description for a model, including punctuation. */
function measureTool({ name, method: { description, words } }: Tool): number {
  return name.length + words.length + description.paramSchema.length + 16;
}

function computeContext(session: Session): { context: number; whose: string } {
  const weights = getModels(session).flatMap(({ backend }) => backend.model ?? []);
  const stated = weights.filter(({ contextTokens }) => contextTokens > 0);
  const [first, ...others] = stated;
  if (first === undefined)
    return { context: USUAL_CONTEXT, whose: "the size that is assumed if no model declares one" };
  const least = others.reduce((small, one) => (one.contextTokens < small.contextTokens ? one : small), first);
  return { context: least.contextTokens, whose: `the context of the model \`${least.name}\`` };
}
