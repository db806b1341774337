import type { Session, Tool } from "../../../phases/bind/index.ts";
import { getModels, isCovered, selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/index.ts";
import { promptAboveBudget } from "./codes.ts";

/** Context in tokens if no backend of the session states it: the usual size for small models on one processor. */
const USUAL_CONTEXT = 8192;
/** Estimate for English text and JSON, because each model tokenizes differently. */
const CHARACTERS_PER_TOKEN = 4;

/** Half of the context is the budget: questions, results and responses must fit beside the tools. */
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

/** Returns the number of characters that describe a tool to a model, with the punctuation around them. */
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
