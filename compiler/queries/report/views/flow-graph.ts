// Builds the graph of flows: services of the machine on the left, sessions in the middle, models and outside
// destinations on the right.

import { formatLabel, formatSecrecy, type IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph.ts";
import { type FlowView, joinUnique } from "./flow.ts";

export function buildFlowGraph(tables: IndexedTables, flows: readonly FlowView[]): Graph {
  const edges = new Map<string, GraphEdge>();
  const nodes = new Map<string, GraphNode>();
  const outward = new Set(flows.filter(({ end }) => end === "outside").map(getLeaverId));
  for (const flow of flows) {
    const drawn = drawFlow(tables, flow, outward);
    for (const node of drawn.nodes) nodes.set(node.id, node);
    const key = `${drawn.edge.from}\n${drawn.edge.to}`;
    edges.set(key, mergeEdges(edges.get(key), drawn.edge));
  }
  const known = [...edges.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { nodes: [...nodes.values()], edges: known };
}

/**
 * Returns the id of the box from which a flow leaves. A service and a model may have the same name. The kind of flow
 * distinguishes them: arguments go to services, and conversations go to models.
 */
function getLeaverId({ from, what }: FlowView): string {
  return what === "arguments" ? makeServiceId(from) : makeBackendId(from);
}

function makeServiceId(name: string): string {
  return `service ${name}`;
}

function makeBackendId(name: string): string {
  return `backend ${name}`;
}

/** Returns one line for all flows between the same two boxes. */
function mergeEdges(known: GraphEdge | undefined, edge: GraphEdge): GraphEdge {
  return known === undefined ? edge : { ...edge, words: `${known.words}, ${edge.words}`, heads: "both" };
}

interface Drawn {
  readonly nodes: readonly GraphNode[];
  readonly edge: GraphEdge;
}

function drawFlow(tables: IndexedTables, flow: FlowView, outward: ReadonlySet<string>): Drawn {
  const { from, to, what, least, label, end } = flow;
  switch (end) {
    case "ingress":
      return joinBoxes(makeBox("outside", `ingress ${from}`, from, [label]), makeSessionBox(tables, to), what, "to");
    case "service": {
      const results = what === "results";
      const [provider, session] = results ? [from, to] : [to, from];
      const ends = [makeServiceBox(tables, provider), makeSessionBox(tables, session)] as const;
      const words = `${results ? "reads" : "sends"} ${least}`;
      if (outward.has(makeServiceId(provider))) return joinBoxes(ends[1], ends[0], words, results ? "from" : "to");
      return joinBoxes(ends[0], ends[1], words, results ? "to" : "from");
    }
    case "backend":
      return joinBoxes(
        makeSessionBox(tables, from),
        makeBox("backend", makeBackendId(to), to, [`hears ${label}`]),
        least,
        "to",
      );
    case "outside": {
      const outside = makeBox("outside", "outside", to, []);
      return { nodes: [outside], edge: { from: getLeaverId(flow), to: outside.id, words: "", heads: "to" } };
    }
  }
}

function joinBoxes(left: GraphNode, right: GraphNode, words: string, heads: GraphEdge["heads"]): Drawn {
  return { nodes: [left, right], edge: { from: left.id, to: right.id, words, heads } };
}

function makeBox(kind: string, id: string, title: string, lines: readonly string[]): GraphNode {
  return { id, kind, title, lines, joins: kind === "service" || kind === "session" };
}

function makeSessionBox({ rows, lattice }: IndexedTables, name: string): GraphNode {
  const row = rows.find(({ session }) => session === name);
  const cleared = row === undefined ? [] : [`cleared for ${formatSecrecy(lattice, row.clearance)}`];
  return makeBox("session", `session ${name}`, name, cleared);
}

function makeServiceBox({ tools, lattice }: IndexedTables, name: string): GraphNode {
  const own = tools.filter(({ provider }) => provider === name);
  const results = joinUnique(own.map(({ result }) => formatLabel(lattice, result.high)));
  const sinks = joinUnique(own.map(({ sink }) => formatLabel(lattice, sink)));
  const lines = results === sinks ? [results] : [`gives ${results}`, `takes ${sinks}`];
  return makeBox("service", makeServiceId(name), name, lines);
}
