import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

interface Loosening {
  /** `operator`, `operator.tidy`. */
  readonly place: string;
  /** The stricter line, in its words. */
  readonly line: string;
  /** Lines that go before it. */
  readonly by: string;
  /** A few of them. */
  readonly tools: string;
  /** A call, and what becomes of it. */
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
