/** Throws for a state that only a defect of ours can reach. Its text asks for a report and never blames the input. */
export function bug(what: string): never {
  throw new Error(`capos defect: ${what}`);
}
