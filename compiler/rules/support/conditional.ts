import type { BoundCheck, BoundLine, Model, Narrowings } from "../../phases/bind/index.ts";
import { listLines, listNarrowings } from "./own-layers.ts";

/** A line or a floor with `where`. */
export interface ConditionalLine extends Pick<BoundLine, "mode" | "patterns"> {
  /** Checks of the condition; there is at least one. */
  readonly checks: readonly BoundCheck[];
}

/** Returns every line and every floor with a condition in sessions, tasks and workers, including those of the standard library. */
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
