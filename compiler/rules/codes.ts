import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

const FORM = '`// capc: allow CODE because "reason"`';

export const silenceMalformed = defineDiagnostic<{ what: string }>({
  code: "silence-malformed",
  severity: "warning",
  say: ({ what }) => `this comment silences no advice: ${what}`,
  because:
    "A comment that silences advice must contain the code of the advice and a reason. Otherwise capc ignores the comment.",
  help: () => `write ${FORM}`,
});

export const silenceUnused = defineDiagnostic<{ code: string; why: string; near: string | undefined }>({
  code: "silence-unused",
  severity: "warning",
  say: ({ code, why }) => `\`allow ${code}\` silences no advice: ${why}`,
  because: "If the page later gets an advice with this code, the comment would hide it before a person has read it.",
  help: ({ near }) => (near === undefined ? "delete the comment" : `did you mean \`${near}\`?`),
});
