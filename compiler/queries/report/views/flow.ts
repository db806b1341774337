/** A possible flow, which happens only if the label of the data permits it. */
export interface FlowView {
  /** Kind of the place with which the session exchanges data. */
  readonly end: "service" | "backend" | "outside" | "ingress";
  readonly from: string;
  readonly to: string;
  /** Data that flows: `results`, `arguments`, `the conversation` or `words`. */
  readonly what: string;
  /** The loosest gate of the calls of this flow. If the strictest gate differs, the text contains both. */
  readonly gate: string;
  readonly least: string;
  /** Label of the data, or the highest label that may flow to the place `to`. */
  readonly label: string;
  readonly tools: string;
}

/** Returns the distinct texts in one line. */
export function joinUnique(texts: readonly string[]): string {
  return [...new Set(texts)].join(", ");
}
