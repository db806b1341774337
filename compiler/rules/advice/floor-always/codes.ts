import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const floorAlways = defineDiagnostic<{ layer: string }>({
  code: "floor-always",
  severity: "warning",
  say: ({ layer }) => `every conversation in \`${layer}\` meets this condition from its start`,
  because: "A floor that always applies is not an escalation, but a reader expects looser modes before it applies.",
  help: () => "write the mode in `permit`, or correct the label",
});
