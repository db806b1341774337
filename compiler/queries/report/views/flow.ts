/** Something that may get from one end to the other, if its label lets it. */
export interface FlowView {
  /** What stands at the other end of the session. */
  readonly end: "service" | "backend" | "outside" | "ingress";
  readonly from: string;
  readonly to: string;
  /** `results`, `arguments`, `the conversation`, `words` */
  readonly what: string;
  /** The least that a call of these asks for, and the most where they differ. */
  readonly gate: string;
  readonly least: string;
  /** Of what flows, or the most that may. */
  readonly label: string;
  readonly tools: string;
}

/** Each once, in one line. */
export function joinUnique(texts: readonly string[]): string {
  return [...new Set(texts)].join(", ");
}
