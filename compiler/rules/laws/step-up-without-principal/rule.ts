import type { Span } from "../../../../lang/text/index.ts";
import type { BoundLine, Session } from "../../../phases/bind/index.ts";
import { isWithoutKey } from "../../support/keys.ts";
import { defineLaw } from "../../support/law.ts";
import { collectLayers, listLines, type OwnLayer } from "../../support/own-layers.ts";
import { stepUpWithoutPrincipal } from "./codes.ts";

/**
 * Reports step-up lines that nobody can satisfy. Lines that a session takes over from a profile are skipped: if no
 * principal has a key, they only deny calls.
 */
export const rule = defineLaw({
  reports: [stepUpWithoutPrincipal],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const say = (session: Session, span: Span, line: string): void => {
      if (isWithoutKey(session)) report(stepUpWithoutPrincipal.at(span, { session: session.id, line }));
    };
    for (const layer of collectLayers(model).filter(({ damaged }) => !damaged)) {
      for (const { mode, words } of stepUps(layer)) say(layer.session, mode.span, words);
    }
    for (const { session, phases } of model.tasks) {
      for (const { after, name, node } of phases) {
        if (after === "stepUp") say(session, node.after?.span ?? node.name.span, `phase ${name} after stepUp`);
      }
    }
    for (const { by, session: said, task, node } of model.releases) {
      const session = said ?? task?.session;
      if (by === "stepUp" && session !== undefined) say(session, node.by.span, `${node.act} ${node.tool.text}`);
    }
    for (const session of model.sessions.filter(({ own }) => own)) {
      const choices = [...(session.models ?? []), ...session.widenings.flatMap(({ models }) => models ?? [])];
      for (const { mode, backend, span } of choices)
        if (mode === "stepUp") say(session, span, `stepUp ${backend.name}`);
    }
  },
});

function stepUps({ said, widenings }: OwnLayer) {
  return [
    ...listLines(said, widenings)
      .filter((line) => isCovering(line))
      .flatMap((line) => getStepUpModes(line).map((mode) => ({ mode, words: line.words }))),
    ...said.floors.map(({ node, words }) => ({ mode: node.mode, words })).filter(({ mode }) => mode.mode === "stepUp"),
  ];
}

function isCovering(line: BoundLine): boolean {
  return line.patterns.some((pattern) => pattern.tools.length > 0);
}

function getStepUpModes({ node }: BoundLine) {
  return [node.mode, node.where?.otherwise].flatMap((mode) => (mode?.mode === "stepUp" ? [mode] : [])).slice(0, 1);
}
