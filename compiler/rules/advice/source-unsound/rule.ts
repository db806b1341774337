import { renderCheck } from "../../../../lang/format/index.ts";
import {
  type BoundCheck,
  type BoundSource,
  isStrongField,
  isWithin,
  type Service,
  type Tool,
} from "../../../phases/bind/index.ts";
import { type Answer, isCovered, selectRowSessions } from "../../../phases/policy/index.ts";
import { createSessionAnswers, defineLaw, findConditionalLines, type Page, type Report } from "../../support/index.ts";
import { sourceNeverAuto, sourceUnreachable, strongUnsound } from "./codes.ts";

/**
 * Reports `from` conditions with only weak sources, sources that no session can read, and strong fields that somebody
 * other than their owner can fill.
 */
export const rule = defineLaw({
  reports: [sourceNeverAuto, sourceUnreachable, strongUnsound],
  check: (page, report) => {
    const lines = findConditionalLines(page.model);
    const asked = lines.flatMap(({ checks, mode }) => checks.map((check) => ({ check, mode })));
    const strong = page.model.services.filter((service) => service.strong.length > 0);
    if (strong.length === 0 && asked.every(({ check }) => check.sources.length === 0)) return;
    const answers = selectRowSessions(page.model).map((session) => createSessionAnswers(page, session));
    const isCalled = (tool: Tool) => answers.some((answerOf) => isRunning(answerOf(tool)));
    const isUnasked = (tool: Tool) => answers.some((answerOf) => isAlwaysAuto(answerOf(tool)));
    for (const { check, mode } of asked) checkSources(page, { check, mode }, isCalled, report);
    for (const service of strong) checkStrong(page, service, isUnasked, report);
  },
});

interface Asked {
  readonly check: BoundCheck;
  readonly mode: string;
}

function checkSources(
  { model }: Page,
  { check, mode }: Asked,
  isCalled: (tool: Tool) => boolean,
  report: Report,
): void {
  if (check.sources.length === 0) return;
  for (const source of check.sources) {
    if (source.kind !== "field") continue;
    const tool = model.tools.find(({ name }) => name === source.tool);
    if (tool !== undefined && !isCalled(tool))
      report(sourceUnreachable.at(source.node.span, { source: source.node.text, tool: tool.name }));
  }
  if (mode === "auto" && check.sources.every(isWeak))
    report(sourceNeverAuto.at(check.node.span, { check: renderCheck(check.node) }));
}

function isWeak(source: BoundSource): boolean {
  switch (source.kind) {
    case "person":
    case "page":
    case "atLeast":
      return false;
    case "pasted":
    case "untrusted":
      return true;
    case "field":
      return !isStrongField(source);
  }
}

function checkStrong({ model }: Page, service: Service, isUnasked: (tool: Tool) => boolean, report: Report): void {
  const writing = model.tools.find(
    (tool) => tool.service === service && !isWithin(tool.method.category, "readOnly") && isUnasked(tool),
  );
  for (const { method, node } of service.strong) {
    const label = service.interface.methods.get(method)?.returns ?? service.label;
    const fault =
      label?.low.integrity === 0
        ? `\`${service.name}.${method}\` gives untrusted text`
        : writing && `\`${writing.name}\` may be called without approval`;
    if (fault !== undefined) report(strongUnsound.at(node.span, { field: node.text, fault }));
  }
}

/** Returns whether the tool can run for some arguments. */
function isRunning(answer: Answer | undefined): boolean {
  return (
    isCovered(answer) &&
    answer.clauses.some(({ met, otherwise = met }) => met !== "forbidden" || otherwise !== "forbidden")
  );
}

function isAlwaysAuto(answer: Answer | undefined): boolean {
  return isCovered(answer) && answer.clauses.every(({ met, checks }) => met === "auto" && checks.length === 0);
}
