import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const floorAlways = defineDiagnostic<{ layer: string }>({
  code: "floor-always",
  severity: "warning",
  say: ({ layer }) => `every conversation in \`${layer}\` meets this condition from its first word on`,
  because: "A floor that always holds is not an escalation: a reader believes that less is asked before.",
  help: () => "write the mode in `permit`, or correct the label",
});
