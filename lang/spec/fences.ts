/** An example of a page of the specification: what stands between three backticks and `cap`, and three backticks. */
interface Fence {
  /** The words behind `cap`: none, `whole`, `example`, or `wrong` and a code. */
  readonly marks: readonly string[];
  readonly text: string;
}

export function fencesOf(page: string): readonly Fence[] {
  return [...page.matchAll(/^```cap *([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, marks = "", text = ""]) => ({
    marks: marks.split(" ").filter((mark) => mark !== ""),
    text,
  }));
}

/** Examples that need a system around them stand where this comment is in `frame.cap`. */
const PLACE = "// the example";

export function framed(frame: string, example: string): string {
  return frame.replace(PLACE, () => example);
}
