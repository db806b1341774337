import type { Tool } from "../../../phases/bind/index.ts";
import { type Answer, isCovered, reachOf, selectRowSessions } from "../../../phases/policy/index.ts";
import { defineLaw, isGate, type Page } from "../../support/index.ts";
import { consentTextShared, toolUndescribed } from "./codes.ts";

/**
 * Checks tools about which a person may be asked: each must have a description, and two methods must not have the same
 * description.
 */
export const rule = defineLaw({
  reports: [consentTextShared, toolUndescribed],
  check: (page, report) => {
    const asked = findAskedTools(page);
    const byText = new Map<string, Tool>();
    for (const tool of asked.filter(isDescribed)) {
      const text = tool.method.words;
      const other = byText.get(text);
      if (other === undefined) byText.set(text, tool);
      else report(consentTextShared.at(tool.service.node.name.span, { first: other.name, second: tool.name, text }));
    }
    const undescribed = asked.filter((tool) => !isDescribed(tool));
    for (const [service, tools] of Map.groupBy(undescribed, (tool) => tool.service)) {
      report(toolUndescribed.at(service.node.name.span, { tools: tools.map(({ name }) => name) }));
    }
  },
});

function isDescribed({ method }: Tool): boolean {
  return method.words !== "";
}

/**
 * Returns the tools about which a person may be asked, in the model's order. The list has one tool for each method,
 * because all tools of a method do the same.
 */
function findAskedTools({ model, resolution }: Page): Tool[] {
  const sessions = selectRowSessions(model).map((session) => resolution.get(session) ?? []);
  const asked = new Map<Tool["method"], Tool>();
  for (const [index, tool] of model.tools.entries()) {
    if (!asked.has(tool.method) && sessions.some((answers) => isAsked(answers[index]))) asked.set(tool.method, tool);
  }
  return [...asked.values()];
}

function isAsked(answer: Answer | undefined): boolean {
  if (!isCovered(answer)) return false;
  const { loosest, strictest } = reachOf(answer.clauses);
  return answer.floors.length > 0 || [loosest, strictest].some(isGate);
}
