/** Throws for a state that only a defect of this code can cause. The text asks for a report and never blames the input. */
export function bug(what: string): never {
  throw new Error(`capos defect: ${what}`);
}
