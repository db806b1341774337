import type { BoundLine, Model } from "../../phases/bind/index.ts";
import { listLines, listNarrowings } from "./own-layers.ts";

/** A line with `where`. */
export interface ConditionalLine extends BoundLine {
  readonly where: NonNullable<BoundLine["where"]>;
}

/** Every line with a condition, wherever it stands: in sessions, those of the standard library too, tasks and workers. */
export function findConditionalLines(model: Model): ConditionalLine[] {
  const sessions = model.sessions.flatMap((session) => listLines(session, session.widenings));
  const lines = [...sessions, ...listNarrowings(model).flatMap((layer) => layer.lines)];
  return lines.filter(isConditional);
}

function isConditional(line: BoundLine): line is ConditionalLine {
  return line.where !== undefined;
}
