// The drawing of flows: services of the machine on the left, sessions in the middle, models and what leads outside on the right.

import { type IndexedTables, labelText, secrecyText } from "../../../../engine/lib/policy/index.ts";
import type { Graph, GraphEdge, GraphNode } from "../graph/graph.ts";
import { type FlowView, listed } from "./flow.ts";

export function flowGraph(tables: IndexedTables, flows: readonly FlowView[]): Graph {
  const edges = new Map<string, GraphEdge>();
  const nodes = new Map<string, GraphNode>();
  const outward = new Set(flows.filter(({ end }) => end === "outside").map(leaverOf));
  for (const flow of flows) {
    const drawn = drawnFlow(tables, flow, outward);
    for (const node of drawn.nodes) nodes.set(node.id, node);
    const key = `${drawn.edge.from}\n${drawn.edge.to}`;
    edges.set(key, withBoth(edges.get(key), drawn.edge));
  }
  const known = [...edges.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  return { nodes: [...nodes.values()], edges: known };
}

/** What leads outside. A service and a model may have one name: arguments leave services, conversations models. */
function leaverOf({ from, what }: FlowView): string {
  return what === "arguments" ? serviceId(from) : backendId(from);
}

function serviceId(name: string): string {
  return `service ${name}`;
}

function backendId(name: string): string {
  return `backend ${name}`;
}

/** Of two flows between the same boxes one line is drawn. */
function withBoth(known: GraphEdge | undefined, edge: GraphEdge): GraphEdge {
  return known === undefined ? edge : { ...edge, words: `${known.words}, ${edge.words}`, heads: "both" };
}

interface Drawn {
  readonly nodes: readonly GraphNode[];
  readonly edge: GraphEdge;
}

function drawnFlow(tables: IndexedTables, flow: FlowView, outward: ReadonlySet<string>): Drawn {
  const { from, to, what, least, label, end } = flow;
  switch (end) {
    case "ingress":
      return joined(box("outside", `ingress ${from}`, from, [label]), sessionBox(tables, to), what, "to");
    case "service": {
      const results = what === "results";
      const [provider, session] = results ? [from, to] : [to, from];
      const ends = [serviceBox(tables, provider), sessionBox(tables, session)] as const;
      const words = `${results ? "reads" : "sends"} ${least}`;
      if (outward.has(serviceId(provider))) return joined(ends[1], ends[0], words, results ? "from" : "to");
      return joined(ends[0], ends[1], words, results ? "to" : "from");
    }
    case "backend":
      return joined(sessionBox(tables, from), box("backend", backendId(to), to, [`hears ${label}`]), least, "to");
    case "outside": {
      const outside = box("outside", "outside", to, []);
      return { nodes: [outside], edge: { from: leaverOf(flow), to: outside.id, words: "", heads: "to" } };
    }
  }
}

function joined(left: GraphNode, right: GraphNode, words: string, heads: GraphEdge["heads"]): Drawn {
  return { nodes: [left, right], edge: { from: left.id, to: right.id, words, heads } };
}

function box(kind: string, id: string, title: string, lines: readonly string[]): GraphNode {
  return { id, kind, title, lines, joins: kind === "service" || kind === "session" };
}

function sessionBox({ rows, lattice }: IndexedTables, name: string): GraphNode {
  const row = rows.find(({ session }) => session === name);
  const cleared = row === undefined ? [] : [`cleared for ${secrecyText(lattice, row.clearance)}`];
  return box("session", `session ${name}`, name, cleared);
}

function serviceBox({ tools, lattice }: IndexedTables, name: string): GraphNode {
  const own = tools.filter(({ provider }) => provider === name);
  const results = listed(own.map(({ result }) => labelText(lattice, result.high)));
  const sinks = listed(own.map(({ sink }) => labelText(lattice, sink)));
  const lines = results === sinks ? [results] : [`gives ${results}`, `takes ${sinks}`];
  return box("service", serviceId(name), name, lines);
}
