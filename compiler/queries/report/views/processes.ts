// Builds the view of the processes of the image and of their capabilities: for each process, the processes that it may
// call.

import { isRole, ROLES, type RoleKind } from "../../../../engine/lib/roles/index.ts";
import { createDrawings, type Drawings } from "../graph/drawings.ts";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph.ts";
import { joinAlike } from "../graph/merge-boxes.ts";
import { revealUnseen } from "../reveal-unseen.ts";
import type { ProcessFacts, Subject } from "../subject.ts";
import { buildMachineView, type MachineView } from "./machine.ts";
import type { PlaceView, Sources } from "./sources.ts";

interface ProcessesView {
  /** Drawings of the processes; null if the processes are too many to draw. */
  readonly drawing: Drawings | null;
  readonly processes: readonly ProcessView[];
  readonly machine: MachineView | null;
}

interface ProcessView {
  readonly name: string;
  readonly role: string;
  readonly uid: number;
  readonly memory: string;
  readonly restart: string;
  readonly holds: readonly { readonly what: string; readonly of: string; readonly place: PlaceView }[];
  readonly handed: readonly string[];
}

export function buildProcessesView(subject: Subject, sources: Sources): ProcessesView {
  const { processes } = subject;
  return {
    machine: buildMachineView(subject),
    drawing: createDrawings(revealUnseen(joinAlike(buildGraph(processes)))) ?? null,
    processes: processes.map(({ name, role, uid, memoryBytes, restart, holds, handed }) => ({
      name,
      role,
      uid,
      memory: `${memoryBytes / MIB} MiB`,
      restart,
      holds: holds.map(({ interfaceName, provider, origin }) => {
        return { what: interfaceName, of: provider, place: sources.place(origin) };
      }),
      handed,
    })),
  };
}

const MIB = 1024n * 1024n;
const INIT = "init";

/** Returns the kind of a role. An unknown role, as in a manifest of another version, counts as a service. */
export function findKind(role: string): RoleKind {
  return isRole(role) ? ROLES[role].kind : "service";
}

/**
 * Returns the graph of processes. Each process is to the left of the processes that it may call. The process init is left out, because
 * every process is connected with it.
 */
function buildGraph(processes: readonly ProcessFacts[]): Graph {
  const nodes = processes.map(({ name, role }): GraphNode => {
    const kind = findKind(role);
    return { id: name, kind, title: name, lines: [role], joins: kind === "service" };
  });
  const edges = new Map<string, GraphEdge>();
  for (const { name, holds } of processes) {
    for (const { provider } of holds) {
      if (provider === INIT || provider === name) continue;
      const back = edges.get(`${provider}\n${name}`);
      if (back !== undefined) edges.set(`${provider}\n${name}`, { ...back, heads: "both" });
      else edges.set(`${name}\n${provider}`, { from: name, to: provider, words: "", heads: "to" });
    }
  }
  return { nodes, edges: [...edges.values()] };
}
