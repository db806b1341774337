/**
 * An example on a page of the specification. It begins after a line with three backticks and `cap`, and ends before the
 * next three backticks.
 */
interface Fence {
  /** The words after `cap`: none, `whole`, `example`, or `wrong` and a code. */
  readonly marks: readonly string[];
  readonly text: string;
}

export function fencesOf(page: string): readonly Fence[] {
  return [...page.matchAll(/^```cap *([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, marks = "", text = ""]) => ({
    marks: marks.split(" ").filter((mark) => mark !== ""),
    text,
  }));
}

/** Mark in `frame.cap` at which examples that need a system are inserted. */
const PLACE = "// the example";

export function framed(frame: string, example: string): string {
  return frame.replace(PLACE, () => example);
}
