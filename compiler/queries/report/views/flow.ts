/** Something that may get from one end to the other, if its label lets it. */
export interface FlowView {
  /** Kind of the other end, as seen from the session. */
  readonly end: "service" | "backend" | "outside" | "ingress";
  readonly from: string;
  readonly to: string;
  /** `results`, `arguments`, `the conversation`, `words` */
  readonly what: string;
  /** The least that a call of these asks for, and the most where they differ. */
  readonly gate: string;
  readonly least: string;
  /** Label of what flows, or the highest label that may flow. */
  readonly label: string;
  readonly tools: string;
}

/** Returns each text once, in one line. */
export function joinUnique(texts: readonly string[]): string {
  return [...new Set(texts)].join(", ");
}
