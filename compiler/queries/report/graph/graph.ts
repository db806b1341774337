/** A box of a drawing. */
export interface GraphNode {
  readonly id: string;
  /** Kind of the box, which determines its style: `session`, `service`, … */
  readonly kind: string;
  /** Title of the box, in bold letters. Further facts are below it. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Whether this box may be merged with other boxes that have the same connections. */
  readonly joins: boolean;
}

/** An edge from left to right. A pair of nodes has at most one edge. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** Text beside the line. It may be empty. */
  readonly words: string;
  /** Ends of the line that have an arrowhead. */
  readonly heads: "to" | "from" | "both";
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
