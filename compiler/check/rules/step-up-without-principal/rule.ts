import type { BoundLine, Session } from "../../../bind/index.ts";
import { principalsOf } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { linesOf, type Written, writtenIn } from "../../written.ts";
import { stepUpWithoutPrincipal } from "./codes.ts";

/** What the page writes itself; step-up that comes from a profile is left alone, for it fails closed. */
export const rule = defineLaw({
  reports: [stepUpWithoutPrincipal],
  check: ({ model }, report) => {
    for (const layer of writtenIn(model)) {
      const { session, damaged } = layer;
      if (session.abstract || damaged || session.damaged || hasKey(session)) continue;
      for (const { mode, words } of stepUps(layer)) {
        report(stepUpWithoutPrincipal.at(mode.span, { session: session.id, line: words }));
      }
    }
    for (const { session, phases } of model.tasks) {
      if (session.abstract || session.damaged || hasKey(session)) continue;
      for (const { after, name, node } of phases) {
        if (after !== "stepUp" || node.after === undefined) continue;
        report(stepUpWithoutPrincipal.at(node.after.span, { session: session.id, line: `phase ${name} after stepUp` }));
      }
    }
    for (const { by, session, node } of model.releases) {
      if (by !== "stepUp" || session === undefined) continue;
      if (session.abstract || session.damaged || hasKey(session)) continue;
      const line = `${node.act} ${node.tool.text}`;
      report(stepUpWithoutPrincipal.at(node.by.span, { session: session.id, line }));
    }
  },
});

function hasKey(session: Session): boolean {
  // A key that could not be read was reported: the principal counts as one who has a key.
  return principalsOf(session).some(({ keys, node }) => keys.length > 0 || node.proofs.length > 0 || node.damaged);
}

function stepUps({ said, widenings }: Written) {
  return [
    ...linesOf(said, widenings)
      .filter((line) => covers(line))
      .flatMap((line) => modesOf(line).map((mode) => ({ mode, words: line.words }))),
    ...said.floors.map(({ node, words }) => ({ mode: node.mode, words })).filter(({ mode }) => mode.mode === "stepUp"),
  ];
}

function covers(line: BoundLine): boolean {
  return line.patterns.some((pattern) => pattern.tools.length > 0);
}

function modesOf({ node }: BoundLine) {
  return [node.mode, node.where?.otherwise].flatMap((mode) => (mode?.mode === "stepUp" ? [mode] : [])).slice(0, 1);
}
