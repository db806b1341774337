import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const weightsUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "weights-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be run in the image: ${reason}`,
  because: "If capc accepted these weights, the fault would appear only when the machine runs.",
  help: ({ instead }) => instead,
});
