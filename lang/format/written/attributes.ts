import type { Line, ModelsNode, Narrowing, PhaseNode, SessionAttribute, WidenNode } from "../../tree/index.ts";
import { lineText, metText, patternsText, quotaText, timeLimitText } from "../lines.ts";
import { becauseText, labelText, nameText } from "../text.ts";
import { block, documented, namesText, optional, row, wordsText } from "./pieces.ts";

// What stands in sessions, tasks, phases and workers.

export function attributeText(node: SessionAttribute | PhaseNode): string {
  switch (node.kind) {
    case "kind":
      return `kind ${nameText(node.name)}`;
    case "principals":
      return `principals ${namesText(node.names)}`;
    case "login":
      return `login ${nameText(node.proof)}`;
    case "starts":
    case "clearance":
      return `${node.kind} ${labelText(node.label)}`;
    case "models":
      return modelsText(node);
    case "widen":
      return widenText(node);
    case "phase":
      return phaseText(node);
    default:
      return narrowingText(node);
  }
}

function narrowingText(node: Narrowing): string {
  switch (node.kind) {
    case "permit":
      return `permit ${block(node.lines.map((line: Line) => lineText(line)))}`;
    case "only":
    case "suppress":
      return `${node.kind} ${patternsText(node.patterns)}`;
    case "remember":
      return `remember ${nameText(node.scope)}`;
    case "when": {
      const floors = node.floors.map(({ mode, patterns }) => `atLeast ${mode.mode} ${patternsText(patterns)}`);
      return `when ${node.met.map(metText).join(" and ")} ${row(floors)}`;
    }
    case "quota":
      return `quota ${row(node.entries.map(quotaText))}`;
    case "timeout":
      return `timeout ${row(node.limits.map(timeLimitText))}`;
  }
}

function modelsText({ choices }: ModelsNode): string {
  return `models ${row(choices.map(({ mode, backend }) => `${mode.mode} ${nameText(backend)}`))}`;
}

function widenText({ changes, because, until }: WidenNode): string {
  const widened = changes.map((change) => (change.kind === "line" ? lineText(change.line) : attributeText(change)));
  return `widen ${row(widened)}${becauseText(because)}${optional("until", until && wordsText(until))}`;
}

function phaseText({ name, doc, after, attributes }: PhaseNode): string {
  return documented(
    doc,
    `phase ${nameText(name)}${optional("after", after?.mode)} ${row(attributes.map(attributeText))}`,
  );
}
