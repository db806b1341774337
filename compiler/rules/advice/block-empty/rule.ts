import type { SessionAttribute, TaskAttribute } from "../../../../lang/tree/index.ts";
import type { Task } from "../../../phases/bind/index.ts";
import { defineLaw, type Report } from "../../support/index.ts";
import { blockEmpty } from "./codes.ts";

/** Reports blocks without lines, tasks that contain nothing except empty phases, and tests with no step except `as`. */
export const rule = defineLaw({
  reports: [blockEmpty],
  check: ({ model }, report) => {
    if (model.damaged) return;
    for (const session of model.sessions.filter(({ own, damaged }) => own && !damaged)) {
      checkBlocks(session.node.attributes, report);
    }
    for (const task of model.tasks.filter(({ damaged }) => !damaged)) {
      checkTask(task, report);
      for (const { node } of [task, ...task.phases]) checkBlocks(node.attributes, report);
    }
    for (const { title, steps, node } of model.tests) {
      if (steps.some(({ kind }) => kind !== "as")) continue;
      report(blockEmpty.at(node.title.span, { what: `the test "${title}"`, why: "tries nothing" }));
    }
    for (const { node } of model.workers.filter(({ damaged }) => !damaged)) checkBlocks(node.attributes, report);
  },
});

/**
 * Checks a task for empty phases. A single empty phase is not reported. It allows everything that its task allows, and
 * the author may intend this after a narrower phase.
 */
function checkTask({ name, node, phases }: Task, report: Report): void {
  const isEmpty = (attributes: readonly { readonly kind: string }[]): boolean =>
    attributes.every(({ kind }) => kind === "phase");
  if (!isEmpty(node.attributes) || !phases.every((phase) => isEmpty(phase.node.attributes))) return;
  report(blockEmpty.at(node.name.span, { what: `the task \`${name}\``, why: "narrows nothing and limits nothing" }));
}

function checkBlocks(attributes: readonly (SessionAttribute | TaskAttribute)[], report: Report): void {
  for (const attribute of attributes) {
    if (countLines(attribute) === 0)
      report(blockEmpty.at(attribute.span, { what: `this \`${attribute.kind}\``, why: "is empty" }));
  }
}

/** Returns the number of lines of a block, or `undefined` if the attribute is not a block of lines. */
function countLines(attribute: SessionAttribute | TaskAttribute): number | undefined {
  switch (attribute.kind) {
    case "permit":
      return attribute.lines.length;
    case "quota":
      return attribute.entries.length;
    case "timeout":
      return attribute.limits.length;
    case "when":
      return attribute.floors.length;
    default:
      return undefined;
  }
}
