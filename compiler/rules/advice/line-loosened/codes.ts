import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

interface Loosening {
  /** Place such as `operator` or `operator.tidy`. */
  readonly place: string;
  /** Text of the stricter line. */
  readonly line: string;
  /** Lines that precede it. */
  readonly by: string;
  /** A few of the tools. */
  readonly tools: string;
  /** An example call with its decision. */
  readonly shown: string;
}

export const lineLoosened = defineDiagnostic<Loosening>({
  code: "line-loosened",
  severity: "warning",
  say: ({ place, line, by, tools }) => `in \`${place}\`, ${by} goes before \`${line}\` and is looser, for ${tools}`,
  because:
    "The more specific line decides, and a session's own before its defaults: the stricter one is as if it were not there.",
  help: ({ shown }) =>
    `${shown}; make the line as strict, or say beside it why not: \`// capc: allow line-loosened because "…"\``,
});
