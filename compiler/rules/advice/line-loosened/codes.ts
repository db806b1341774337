import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

interface Loosening {
  /** Name of the session, task, phase or worker, such as `operator` or `operator.tidy`. */
  readonly place: string;
  /** Text of the stricter rule. */
  readonly line: string;
  /** Rules that take precedence over it. */
  readonly by: string;
  /** Names of some of the tools. */
  readonly tools: string;
  /** An example call with both decisions. */
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
