import type { Tool } from "../../../bind/index.ts";
import { defineLaw, isCovered, type Page } from "../../../check/index.ts";
import { reachOf, rowSessions } from "../../../policy/index.ts";
import { consentTextShared, toolUndescribed } from "./codes.ts";

/** Of tools that somebody may be asked about: two methods with the same words, or none. */
export const rule = defineLaw({
  reports: [consentTextShared, toolUndescribed],
  check: (page, report) => {
    const asked = askedAbout(page);
    const byText = new Map<string, Tool>();
    const undescribed = new Map<Tool["service"], string[]>();
    for (const tool of asked) {
      const text = tool.method.description.doc;
      const other = byText.get(text);
      if (text === "") undescribed.set(tool.service, [...(undescribed.get(tool.service) ?? []), tool.name]);
      else if (other === undefined) byText.set(text, tool);
      else if (other.method !== tool.method) {
        report(consentTextShared.at(tool.service.node.name.span, { first: other.name, second: tool.name, text }));
      }
    }
    for (const [service, tools] of undescribed) report(toolUndescribed.at(service.node.name.span, { tools }));
  },
});

/** In the model's order. */
function askedAbout({ model, resolution }: Page): Tool[] {
  const sessions = rowSessions(model).map((session) => resolution.get(session) ?? []);
  return model.tools.filter((_, index) =>
    sessions.some((answers) => {
      const answer = answers[index];
      if (!isCovered(answer)) return false;
      const { loosest, strictest } = reachOf(answer.clauses);
      return answer.floors.length > 0 || [loosest, strictest].some((mode) => mode === "consent" || mode === "stepUp");
    }),
  );
}
