import type { BoundQuota } from "../bind/index.ts";
import type { Reached } from "./goal.ts";
import type { Counting } from "./playing.ts";
import type { Explored } from "./search.ts";
import { type Act, buildTraceWith, type Scene } from "./story.ts";
import type { Terrain } from "./terrain.ts";

// What a limit that nothing holds is shown by: one call more than it allows.

/** More conversations than these nobody reads. */
const MOST_CONVERSATIONS = 100;

/** Conversations that use one more, and how they are counted. */
interface Spending {
  readonly scenes: readonly Scene[];
  readonly counting: Counting;
}

/** In one conversation where that can be; else in as many as there are calls. */
export function* generateExceedingTraces(
  terrain: Terrain,
  explored: Explored,
  ways: Iterable<Reached>,
  { amount, scope }: BoundQuota,
): Generator<Spending> {
  const times = Number(amount) + 1;
  const counting: Counting = {
    sameTurn: scope === "call" || scope === "turn",
    sameLogin: scope === "login",
  };
  for (const { item, last } of ways) {
    if (last.kind !== "call") continue;
    const { result } = terrain.tables.tools[last.tool] ?? {};
    if (result === undefined) continue;
    const call: Act = { ...last, back: { stated: result.low, label: undefined }, times };
    yield { scenes: buildTraceWith(terrain, explored, item, [call]), counting };
    if (times > MOST_CONVERSATIONS || counting.sameTurn || scope === "conversation" || scope === "task") continue;
    const once = buildTraceWith(terrain, explored, item, [{ ...last, back: undefined }]);
    yield { scenes: Array.from({ length: times }, () => once).flat(), counting };
  }
}
