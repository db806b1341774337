import type { BoundLine, Session } from "../../../bind/index.ts";
import { principalsOf, rowSessions } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { stepUpWithoutPrincipal } from "./codes.ts";

/** What a session writes itself; step-up that comes from a profile is left alone, for it fails closed. */
export const rule = defineLaw({
  reports: [stepUpWithoutPrincipal],
  check: ({ model }, report) => {
    for (const session of rowSessions(model)) {
      if (session.damaged || hasKey(session)) continue;
      for (const { mode, words } of stepUps(session)) {
        report(stepUpWithoutPrincipal.at(mode.span, { session: session.id, line: words }));
      }
    }
  },
});

function hasKey(session: Session): boolean {
  // A key that could not be read was reported: the principal counts as one who has a key.
  return principalsOf(session).some(({ keys, node }) => keys.length > 0 || node.proofs.length > 0 || node.damaged);
}

function stepUps(session: Session) {
  const lines = [...session.lines, ...session.widenings.flatMap((widening) => widening.lines)];
  return [
    ...lines
      .filter((line) => covers(line))
      .flatMap((line) => modesOf(line).map((mode) => ({ mode, words: line.words }))),
    ...session.floors
      .map(({ node, words }) => ({ mode: node.mode, words }))
      .filter(({ mode }) => mode.mode === "stepUp"),
  ];
}

function covers(line: BoundLine): boolean {
  return line.patterns.some((pattern) => pattern.tools.length > 0);
}

function modesOf({ node }: BoundLine) {
  return [node.mode, node.where?.otherwise].flatMap((mode) => (mode?.mode === "stepUp" ? [mode] : [])).slice(0, 1);
}
