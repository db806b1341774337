import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { helpOf, type Refuted, refutedWords } from "../../support/refuted.ts";

export const ungatedExit = defineDiagnostic<Refuted>({
  code: "ungated-exit",
  severity: "error",
  say: refutedWords,
  because: "What a stranger wrote can steer a model: where nobody is asked, it can act and send by itself.",
  help: helpOf,
});
