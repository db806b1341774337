/**
 * A flow between a session and a service, a backend or an ingress, or a flow out of the machine. It is possible if the
 * label of the data allows it.
 */
export interface FlowView {
  /** The kind of the end that is not a session; `outside` for a flow that leaves the machine. */
  readonly end: "service" | "backend" | "outside" | "ingress";
  readonly from: string;
  readonly to: string;
  /** Kind of the data: `results` or `arguments` of calls, `the conversation`, or `words`: a message from an ingress. */
  readonly what: string;
  /** The loosest gate of the calls, followed by the strictest gate if it differs. */
  readonly gate: string;
  readonly least: string;
  /** Label of results or of an ingress's message; for other data, the highest label that may flow. */
  readonly label: string;
  readonly tools: string;
}

/** Returns each text once, in one line. */
export function joinUnique(texts: readonly string[]): string {
  return [...new Set(texts)].join(", ");
}
