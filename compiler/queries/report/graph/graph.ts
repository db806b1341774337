/** A box of a drawing. */
export interface GraphNode {
  readonly id: string;
  /** Chooses how it is drawn: `session`, `service`, … */
  readonly kind: string;
  /** In bold letters, then what is known of it. */
  readonly title: string;
  readonly lines: readonly string[];
  /** Others that are connected alike may be drawn with it, as one box. */
  readonly joins: boolean;
}

/** An edge from left to right. A pair of nodes has one edge at most. */
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
