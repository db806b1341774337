import type {
  Line,
  ModelsNode,
  Narrowing,
  PhaseNode,
  SessionAttribute,
  TaskAttribute,
  WidenNode,
} from "../../tree/index.ts";
import { renderFloorLine, renderLine, renderMet, renderPatterns, renderQuota, renderTimeLimit } from "../lines.ts";
import { renderBecause, renderLabel, renderName } from "../text.ts";
import { renderBlock, renderDocumented, renderNames, renderOptional, renderRow, renderWords } from "./pieces.ts";
import { renderRelease } from "./statements.ts";

// Renders elements of sessions, tasks, phases and workers.

export function renderAttribute(node: SessionAttribute | TaskAttribute): string {
  switch (node.kind) {
    case "kind":
      return `kind ${renderName(node.name)}`;
    case "principals":
      return `principals ${renderNames(node.names)}`;
    case "login":
      return `login ${renderName(node.proof)}`;
    case "requires":
      return "requires task";
    case "starts":
    case "clearance":
      return `${node.kind} ${renderLabel(node.label)}`;
    case "models":
      return renderModels(node);
    case "widen":
      return widenText(node);
    case "phase":
      return renderPhase(node);
    case "release":
      return renderRelease(node);
    default:
      return renderNarrowing(node);
  }
}

function renderNarrowing(node: Narrowing): string {
  switch (node.kind) {
    case "permit":
      return `permit ${renderBlock(node.lines.map((line: Line) => renderLine(line)))}`;
    case "only":
    case "suppress":
      return `${node.kind} ${renderPatterns(node.patterns)}`;
    case "remember":
      return `remember ${renderName(node.scope)}`;
    case "when": {
      return `when ${node.met.map(renderMet).join(" and ")} ${renderRow(node.floors.map(renderFloorLine))}`;
    }
    case "quota":
      return `quota ${renderRow(node.entries.map(renderQuota))}`;
    case "timeout":
      return `timeout ${renderRow(node.limits.map(renderTimeLimit))}`;
  }
}

function renderModels({ choices }: ModelsNode): string {
  return `models ${renderRow(choices.map(({ mode, backend }) => `${mode.mode} ${renderName(backend)}`))}`;
}

function widenText({ changes, because, until }: WidenNode): string {
  const widened = changes.map((change) => (change.kind === "line" ? renderLine(change.line) : renderAttribute(change)));
  return `widen ${renderRow(widened)}${renderBecause(because)}${renderOptional("until", until && renderWords(until))}`;
}

function renderPhase({ name, doc, after, attributes }: PhaseNode): string {
  return renderDocumented(
    doc,
    `phase ${renderName(name)}${renderOptional("after", after?.mode)} ${renderRow(attributes.map(renderAttribute))}`,
  );
}
