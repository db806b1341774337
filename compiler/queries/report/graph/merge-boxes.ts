import { serializeValue } from "../../../phases/policy/index.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** Maximum number of names in a box. If the names are long, a box shows fewer names. */
const MOST_NAMED = 3;
const LONGEST_TITLE = 32;

/**
 * Merges boxes of one kind that show the same facts and have the same connections, because a hundred equal services
 * need only one box.
 */
export function joinAlike({ nodes, edges }: Graph): Graph {
  const ends = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to, words, heads } of edges) {
    ends.get(from)?.push(serializeValue(["to", to, words, heads]));
    ends.get(to)?.push(serializeValue(["from", from, words, heads]));
  }
  const groups = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const { id, kind, lines, joins } = node;
    const key = joins ? serializeValue([kind, lines, ends.get(id)?.sort() ?? []]) : serializeValue(["alone", id]);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  const joined = [...groups.values()];
  const place = new Map(joined.flatMap((group) => group.map(({ id }) => [id, group[0]?.id ?? id] as const)));
  return { nodes: joined.flatMap(mergeGroup), edges: moveEdges(edges, place) };
}

function mergeGroup(group: readonly GraphNode[]): readonly GraphNode[] {
  const [first] = group;
  if (first === undefined) return [];
  if (group.length === 1) return [first];
  const titles = Array.from({ length: MOST_NAMED }, (_, index) => renderTitle(group, MOST_NAMED - index));
  return [{ ...first, title: titles.find((title) => title.length <= LONGEST_TITLE) ?? renderTitle(group, 1) }];
}

function renderTitle(group: readonly GraphNode[], most: number): string {
  const names = group.slice(0, most).map(({ title }) => title);
  const more = group.length - names.length;
  return more === 0 ? names.join(", ") : `${names.join(", ")} and ${more} more`;
}

/** Returns the edges between merged boxes, without duplicates. */
function moveEdges(edges: readonly GraphEdge[], place: ReadonlyMap<string, string>): readonly GraphEdge[] {
  const moved = edges.map((edge) => ({
    ...edge,
    from: place.get(edge.from) ?? edge.from,
    to: place.get(edge.to) ?? edge.to,
  }));
  return [...new Map(moved.map((edge) => [serializeValue([edge.from, edge.to]), edge])).values()];
}
