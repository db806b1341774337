/** Throws for a state that only a defect of this code can cause. The message asks for a bug report, and does not blame the input. */
export function bug(what: string): never {
  throw new Error(`capos defect: ${what}`);
}
