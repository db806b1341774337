import { findAnsweringBackends } from "./goal.ts";
import type { Reach, Unanswered } from "./proof.ts";
import { replay } from "./replay.ts";
import type { Explored } from "./search.ts";
import { buildTraceWith } from "./story.ts";
import type { Terrain } from "./terrain.ts";

/** What conversations come to, whatever is asserted: for laws about backends. */
export function reachOf(terrain: Terrain, explored: Explored): Reach {
  const backends = new Set<number>();
  const unanswered = new Map<number, Unanswered>();
  const { frontier, conversations } = explored;
  for (const item of conversations) {
    const ground = terrain.grounds[frontier.place[item] ?? 0];
    if (ground === undefined || ground.row.backends.length === 0) continue;
    const { index: row } = ground;
    const id = frontier.label[item] ?? 0;
    const found = findAnsweringBackends(terrain, ground, id);
    for (const { backend } of found) backends.add(backend);
    if (found.length > 0 || unanswered.has(row)) continue;
    const played = replay(terrain.tables, buildTraceWith(terrain, explored, item, []));
    if (played.ok) unanswered.set(row, { row, label: terrain.labels.expandLabel(id), witness: played.value });
  }
  // A search that was given up may have missed where they are used: then none is said to be unused.
  if (explored.givenUp !== undefined) {
    for (const { row } of terrain.grounds) for (const { backend } of row.backends) backends.add(backend);
  }
  return { backends, unanswered: [...unanswered.values()].sort((one, other) => one.row - other.row) };
}
