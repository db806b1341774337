import type { BoundCheck, BoundLine, Model, Narrowings } from "../../phases/bind/index.ts";
import { listLines, listNarrowings } from "./own-layers.ts";

/** A line or a floor with `where`. */
export interface ConditionalLine extends Pick<BoundLine, "mode" | "patterns"> {
  /** Never none. */
  readonly checks: readonly BoundCheck[];
}

/** Every line and every floor with a condition, wherever it stands: in sessions, those of the standard library too, tasks and workers. */
export function findConditionalLines(model: Model): readonly ConditionalLine[] {
  const lines = [
    ...model.sessions.flatMap((session) => listLines(session, session.widenings)),
    ...listNarrowings(model).flatMap((layer) => layer.lines),
  ];
  const layers: readonly Narrowings[] = [...model.sessions, ...listNarrowings(model)];
  return [
    ...lines.map(({ mode, patterns, where }) => ({ mode, patterns, checks: where?.checks ?? [] })),
    ...layers.flatMap(({ floors }) => floors),
  ].filter(({ checks }) => checks.length > 0);
}
