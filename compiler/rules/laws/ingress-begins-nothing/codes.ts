import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ingressBeginsNothing = defineDiagnostic<{ ingress: string; why: string; instead: string }>({
  code: "ingress-begins-nothing",
  severity: "error",
  say: ({ ingress, why }) => `a message at the ingress \`${ingress}\` begins no conversation: ${why}`,
  because:
    "Only a person may begin a task and choose its values, because a message from outside may come from an attacker.",
  help: ({ instead }) => instead,
});
