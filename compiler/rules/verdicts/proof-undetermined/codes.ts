import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const proofUndetermined = defineDiagnostic<{ words: string; reason: string }>({
  code: "proof-undetermined",
  severity: "error",
  say: ({ words, reason }) => `\`${words}\` is neither proved nor refuted: ${reason}`,
  because: "An assertion without a proof may be false, so people cannot rely on it.",
  help: () =>
    "simplify the part of the page that the reason names, or assert a weaker property; for a trial use `capc build --unproved`",
});
