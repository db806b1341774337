import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export interface GrantedCall {
  /** Name of the session, task, phase or worker, such as `operator` or `operator.tidy`. */
  readonly row: string;
  /** The called tool; `passed` is the tool whose rules are bypassed. */
  readonly called: string;
  readonly passed: string;
  /** Whether the grant can be limited to folders by `scope`. */
  readonly isFolders: boolean;
}

export const grantPastLine = defineDiagnostic<GrantedCall>({
  code: "grant-past-line",
  severity: "warning",
  say: ({ row, called, passed }) =>
    `in \`${row}\` the rules about \`${passed}\` are stricter than the rules about \`${called}\`, which can do the same through this grant`,
  because:
    "No rule of a session decides about calls that a service makes through its grants, so the stricter rule can be bypassed.",
  help: ({ called, isFolders }) =>
    `${isFolders ? 'limit the grant to folders with `scope "/drafts"`, or ' : ""}write an equally strict rule about \`${called}\``,
});
