/** For states that only a defect of ours can reach. Its text asks for a report and never blames the source. */
export function bug(what: string): never {
  throw new Error(`capc defect: ${what}`);
}
