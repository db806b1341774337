/** A box of a drawing. */
export interface GraphNode {
  readonly id: string;
  /** Determines the style: `session`, `service`, … */
  readonly kind: string;
  /** Drawn in bold letters, above the other lines. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether the box may be merged with boxes that have the same connections. */
  readonly joins: boolean;
}

/** An edge from left to right. A pair of nodes has at most one edge. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Text beside the edge; may be empty. */
  readonly words: string;
  /** Ends of the edge with an arrowhead. */
  readonly heads: "to" | "from" | "both";
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
