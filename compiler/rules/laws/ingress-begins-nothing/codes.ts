import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ingressBeginsNothing = defineDiagnostic<{ ingress: string; why: string; instead: string }>({
  code: "ingress-begins-nothing",
  severity: "error",
  say: ({ ingress, why }) => `a message at the ingress \`${ingress}\` begins no conversation: ${why}`,
  because: "Only a person begins a task and chooses its values, because what comes from outside may be an attacker's.",
  help: ({ instead }) => instead,
});
