import { mayFlow, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import type { Door } from "./doors.ts";
import type { ItemId } from "./frontier.ts";
import type { LabelId } from "./labels.ts";
import { type Gates, NO_GATE } from "./modes.ts";
import type { Effort, Explored } from "./search.ts";
import type { Ground, Terrain } from "./terrain.ts";

/** What must never come about: a conversation of some row that has seen what is asked, and then does something. */
export interface Goal {
  /** By row: whom it is about. */
  readonly rows: readonly boolean[];
  readonly calls: CallGoal | undefined;
  readonly backends: BackendGoal | undefined;
}

/** Calls that are not to run. */
export interface CallGoal {
  /** Indexes into the tables' tools, in their order. */
  readonly tools: readonly number[];
  readonly gates: Gates;
  /** Only where the arguments flow to the service. */
  readonly sending: boolean;
  /** Not where a release has to let them out. */
  readonly unreleased: boolean;
}

/** Backends that are not to be told, behind any of these modes. */
interface BackendGoal {
  /** Indexes into the tables' backends. */
  readonly backends: readonly number[];
  readonly modes: readonly PermissionMode[];
}

/** The conversation and what it does at last. */
export interface Reached {
  readonly item: ItemId;
  readonly last:
    | { readonly kind: "call"; readonly tool: number; readonly gates: Gates }
    | { readonly kind: "infer"; readonly backend: number };
}

/**
 * All that reach the goal and have seen what all these bits of the search say, the shortest first; no more once the effort is
 * spent on walking there.
 */
export function* enumerateReached(
  terrain: Terrain,
  explored: Explored,
  goal: Goal,
  seen = 0,
  effort: Effort = { left: Number.POSITIVE_INFINITY },
): Generator<Reached> {
  const kinds = indexToolKinds(terrain, goal.calls?.tools ?? []);
  const ways = terrain.grounds.map((ground) =>
    goal.rows[ground.index] ? findTransitionsTo(ground, kinds, goal) : undefined,
  );
  const { frontier } = explored;
  for (const item of selectConversations(explored, goal.rows)) {
    if (effort.left-- <= 0) return;
    const way = ways[frontier.place[item] ?? 0];
    if (way === undefined || ((frontier.seen[item] ?? 0) & seen) !== seen) continue;
    const label = frontier.label[item] ?? 0;
    for (const last of findLastCalls(explored, goal, way, label)) yield { item, last };
    for (const last of findLastInferences(terrain, goal, way, label)) yield { item, last };
  }
}

/** The shortest first; of few rows among many the others are not walked through. */
function selectConversations(
  { conversations, inRows, frontier }: Explored,
  rows: readonly boolean[],
): readonly ItemId[] {
  const asked = inRows.filter((_, row) => rows[row]);
  if (asked.length > inRows.length / 4) return conversations;
  return asked.flat().sort((one, other) => (frontier.steps[one] ?? 0) - (frontier.steps[other] ?? 0));
}

interface WayTo {
  readonly ground: Ground;
  /** Doors that lead to the goal, each with the first tool that does. */
  readonly doors: ReadonlyMap<Door, number>;
}

/** Each kind of tool with the first of its tools. */
function indexToolKinds({ kinds }: Terrain, tools: readonly number[]): Map<number, number> {
  const first = new Map<number, number>();
  for (const tool of tools) {
    const kind = kinds.kindOf[tool] ?? -1;
    if (!first.has(kind)) first.set(kind, tool);
  }
  return first;
}

function findTransitionsTo(ground: Ground, kinds: ReadonlyMap<number, number>, { calls }: Goal): WayTo {
  const doors = new Map<Door, number>();
  for (const [kind, tool] of kinds) {
    const door = ground.doors[ground.doorOf[kind] ?? -1];
    if (door !== undefined && !doors.has(door) && (door.sends || calls?.sending !== true)) doors.set(door, tool);
  }
  return { ground, doors };
}

function findLastCalls(
  { passings }: Explored,
  { calls }: Goal,
  { ground, doors }: WayTo,
  label: LabelId,
): Reached["last"][] {
  const found: Reached["last"][] = [];
  if (calls === undefined) return found;
  for (const [door, tool] of doors) {
    const passing = passings.evaluateTransition(ground, door, label);
    if (passing === null || (calls.unreleased && passing.release !== undefined)) continue;
    const gates = passing.gates & calls.gates;
    if (gates !== NO_GATE) found.push({ kind: "call", tool, gates });
  }
  return found;
}

function findLastInferences(
  terrain: Terrain,
  { backends }: Goal,
  { ground }: WayTo,
  label: LabelId,
): Reached["last"][] {
  if (backends === undefined || backends.backends.length === 0) return [];
  return findAnsweringBackends(terrain, ground, label).flatMap(({ backend, mode }): Reached["last"][] =>
    backends.backends.includes(backend) && backends.modes.includes(mode) ? [{ kind: "infer", backend }] : [],
  );
}

/** Backends that may answer at some time: leases come and go, and what needs none is there as long as its clearance is enough. */
export function findAnsweringBackends(
  terrain: Terrain,
  { row }: Ground,
  id: LabelId,
): { backend: number; mode: PermissionMode }[] {
  const label = terrain.labels.expandLabel(id);
  const cleared = row.backends.filter(({ backend, mode }) => {
    const clearance = terrain.tables.backends[backend]?.clearance;
    return mode !== "forbidden" && clearance !== undefined && mayFlow(label, clearance);
  });
  const always = cleared.findIndex(({ mode }) => mode === "auto");
  return always === -1 ? cleared : cleared.slice(0, always + 1);
}
