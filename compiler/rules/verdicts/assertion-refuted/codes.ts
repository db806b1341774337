import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { helpOf, type Refuted, refutedWords } from "../../support/refuted.ts";

export const assertionRefuted = defineDiagnostic<Refuted>({
  code: "assertion-refuted",
  severity: "error",
  say: refutedWords,
  because: "The assertion says that this never is so, and conversations that the page allows show that it can be.",
  help: helpOf,
});
