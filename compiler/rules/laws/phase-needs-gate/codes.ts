import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const phaseNeedsGate = defineDiagnostic<{ phase: string; before: string; tool: string; session: string }>({
  code: "phase-needs-gate",
  severity: "error",
  say: ({ phase, before, tool, session }) =>
    `in session \`${session}\`, \`${tool}\` could be looser in phase \`${phase}\` than in the previous phase \`${before}\``,
  because: "A step that gives more than there was is a grant: a person has to make it, and know that they do.",
  help: ({ phase }) => `write \`phase ${phase} after consent\` or \`after stepUp\``,
});
