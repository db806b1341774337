import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

const FORM = '`// capc: allow CODE because "reason"`';

export const silenceMalformed = defineDiagnostic<{ what: string }>({
  code: "silence-malformed",
  severity: "warning",
  say: ({ what }) => `this comment silences no advice: ${what}`,
  because: "A comment that silences advice must contain its code and a reason. Otherwise it is ignored.",
  help: () => `write ${FORM}`,
});

export const silenceUnused = defineDiagnostic<{ code: string; why: string; near: string | undefined }>({
  code: "silence-unused",
  severity: "warning",
  say: ({ code, why }) => `\`allow ${code}\` silences no advice: ${why}`,
  because: "The comment would silence a later advice with this code, which no person has read.",
  help: ({ near }) => (near === undefined ? "delete the comment" : `did you mean \`${near}\`?`),
});
