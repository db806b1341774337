import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const phaseNeedsGate = defineDiagnostic<{ phase: string; before: string; tool: string; session: string }>({
  code: "phase-needs-gate",
  severity: "error",
  say: ({ phase, before, tool, session }) =>
    `in session \`${session}\`, \`${tool}\` could have a looser mode in phase \`${phase}\` than in the previous phase \`${before}\``,
  because: "A phase with looser modes gives the agent more rights, so a person must approve the start of this phase.",
  help: ({ phase }) => `write \`phase ${phase} after consent\` or \`after stepUp\``,
});
