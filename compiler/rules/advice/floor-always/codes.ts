import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const floorAlways = defineDiagnostic<{ layer: string }>({
  code: "floor-always",
  severity: "warning",
  say: ({ layer }) => `every conversation in \`${layer}\` meets this condition from its start`,
  because: "A reader of the page expects that looser modes apply before the condition is met.",
  help: () => "write the mode in `permit`, or correct the label",
});
