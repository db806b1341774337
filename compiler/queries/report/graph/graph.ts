/** A box of a drawing. */
export interface GraphNode {
  readonly id: string;
  /** Kind of the box, which determines its style: `session`, `service`, … */
  readonly kind: string;
  /** In bold letters; further facts follow it. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether other boxes with the same connections may be merged with it into one box. */
  readonly joins: boolean;
}

/** An edge from left to right. A pair of nodes has at most one edge. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Text beside the line; may be empty. */
  readonly words: string;
  /** Ends of the line that have an arrowhead. */
  readonly heads: "to" | "from" | "both";
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
