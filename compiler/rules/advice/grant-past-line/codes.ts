import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export interface GrantedCall {
  /** Place in which both tools are decided, such as `operator` or `operator.tidy`. */
  readonly row: string;
  /** The called tool; the next field is the tool whose rules are bypassed. */
  readonly called: string;
  readonly passed: string;
  /** Whether folders as the grant's scope could limit the use. */
  readonly isFolders: boolean;
}

export const grantPastLine = defineDiagnostic<GrantedCall>({
  code: "grant-past-line",
  severity: "warning",
  say: ({ row, called, passed }) =>
    `in \`${row}\` the lines of \`${passed}\` are stricter than those of \`${called}\`, which by this grant may do the same`,
  because:
    "A service uses what it is granted without a session's line, and a proof about one tool is not about another.",
  help: ({ called, isFolders }) =>
    `${isFolders ? 'name the folders that it is for, `scope "/drafts"`, or ' : ""}give \`${called}\` a line that is as strict`,
});
