import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const weightsUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "weights-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be run in the image: ${reason}`,
  because: "The engine would find the fault only in the image, in front of the user.",
  help: ({ instead }) => instead,
});
