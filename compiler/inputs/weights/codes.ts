import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const weightsUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "weights-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be run in the image: ${reason}`,
  because: "The engine that runs weights would be the first to find out, in the image, before the eyes of the person.",
  help: ({ instead }) => instead,
});
