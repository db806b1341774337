import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const proofUndetermined = defineDiagnostic<{ words: string; reason: string }>({
  code: "proof-undetermined",
  severity: "error",
  say: ({ words, reason }) => `\`${words}\` is neither proved nor refuted: ${reason}`,
  because: "An unproved assertion may be false, so the page must not be believed.",
  help: () =>
    "make the page simpler where the reason says, or assert what it does keep; `capc build --unproved` is for trials",
});
