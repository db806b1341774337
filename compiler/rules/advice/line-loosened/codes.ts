import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

interface Loosening {
  /** Name of the session, task, phase or worker, such as `operator` or `operator.tidy`. */
  readonly place: string;
  /** Text of the stricter rule. */
  readonly line: string;
  /** Rules that take precedence over the stricter rule. */
  readonly by: string;
  /** Names of some of the tools for which the stricter rule does not hold. */
  readonly tools: string;
  /** An example call, with the decisions of the stricter rule and of the rules in `by`. */
  readonly shown: string;
}

export const lineLoosened = defineDiagnostic<Loosening>({
  code: "line-loosened",
  severity: "warning",
  say: ({ place, line, by, tools }) => `in \`${place}\`, ${by} displaces \`${line}\` and is looser, for ${tools}`,
  because:
    "A more specific rule displaces a less specific one, and a session's own rule displaces an inherited one. So the stricter rule has no effect here.",
  help: ({ shown }) =>
    `${shown}; make the looser rule as strict as the stricter line, or write the reason before the looser rule: \`// capc: allow line-loosened because "…"\``,
});
