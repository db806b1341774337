import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const stepUpWithoutPrincipal = defineDiagnostic<{ session: string; line: string }>({
  code: "step-up-without-principal",
  severity: "error",
  say: ({ session, line }) => `nobody can pass \`${line}\`: the session \`${session}\` has no principal with a key`,
  because: "Step-up is a proof with a principal's key; without one the line means forbidden and does not say so.",
  help: () => 'write `principals NAME` and `principal NAME { ssh "keys/NAME.pub" }`, or write `forbidden`',
});
