import { findAnsweringBackends } from "./goal.ts";
import type { Reachability, UnansweredRow } from "./proof.ts";
import { replay } from "./replay.ts";
import type { ReachableSet } from "./search.ts";
import type { StateSpace } from "./state-space.ts";
import { buildTraceWith } from "./trace.ts";

/** Returns the reachability of backends, for laws about them. */
export function computeReachability(space: StateSpace, reachable: ReachableSet): Reachability {
  const backends = new Set<number>();
  const unanswered = new Map<number, UnansweredRow>();
  const { frontier, conversations } = reachable;
  for (const state of conversations) {
    const location = space.locations[frontier.place[state] ?? 0];
    if (location === undefined || location.row.backends.length === 0) continue;
    const { index: row } = location;
    const id = frontier.label[state] ?? 0;
    const found = findAnsweringBackends(space, location, id);
    for (const { backend } of found) backends.add(backend);
    if (found.length > 0 || unanswered.has(row)) continue;
    const replayed = replay(space.tables, buildTraceWith(space, reachable, state, []));
    if (replayed.ok) unanswered.set(row, { row, label: space.labels.expandLabel(id), witness: replayed.value });
  }
  // If the search is incomplete, it may have missed uses, so every listed backend counts as used.
  if (reachable.exceededLimit !== undefined) {
    for (const { row } of space.locations) for (const { backend } of row.backends) backends.add(backend);
  }
  return { backends, unanswered: [...unanswered.values()].sort((one, other) => one.row - other.row) };
}
