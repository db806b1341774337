import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const floorNeverReached = defineDiagnostic<{ layer: string; what: string }>({
  code: "floor-never-reached",
  severity: "error",
  say: ({ layer, what }) => `no conversation in \`${layer}\` ever holds ${what}`,
  because: "Data above a session's clearance is withheld from it, so the condition is never met.",
  help: () => "leave the block out, or correct the label",
});

export const floorChangesNothing = defineDiagnostic<{ pattern: string; mode: string }>({
  code: "floor-changes-nothing",
  severity: "error",
  say: ({ pattern, mode }) => `\`${pattern}\` is never looser than \`${mode}\` here, with or without this`,
  because: "An escalation that escalates nothing looks as if it protected something.",
  help: () => "leave it out, or write a stricter mode",
});
