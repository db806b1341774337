import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const stepUpWithoutPrincipal = defineDiagnostic<{ session: string; line: string }>({
  code: "step-up-without-principal",
  severity: "error",
  say: ({ session, line }) =>
    `no person can sign for \`${line}\`: the session \`${session}\` has no principal with a key`,
  because:
    "Step-up needs a signature with a principal's key. Without a principal the rule would forbid the call without showing it.",
  help: () => 'write `principals NAME` and `principal NAME { ssh "keys/NAME.pub" }`, or write `forbidden`',
});
