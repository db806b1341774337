import type { BoundLine, Model } from "../bind/index.ts";

/** Every line with a condition, wherever it stands: in sessions, those of the standard library too, tasks and workers. */
export function conditionalLines({ sessions, tasks, workers }: Model): BoundLine[] {
  const layers = [...sessions, ...tasks, ...tasks.flatMap(({ phases }) => phases), ...workers];
  const widened = sessions.flatMap(({ widenings }) => widenings.flatMap(({ lines }) => lines));
  return [...layers.flatMap(({ lines }) => lines), ...widened].filter(({ where }) => where !== undefined);
}
