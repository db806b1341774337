import type { BoundLine, Model } from "../bind/index.ts";
import { linesOf, narrowingIn } from "./written.ts";

/** Every line with a condition, wherever it stands: in sessions, those of the standard library too, tasks and workers. */
export function conditionalLines(model: Model): BoundLine[] {
  const sessions = model.sessions.flatMap((session) => linesOf(session, session.widenings));
  const lines = [...sessions, ...narrowingIn(model).flatMap((layer) => layer.lines)];
  return lines.filter(({ where }) => where !== undefined);
}
