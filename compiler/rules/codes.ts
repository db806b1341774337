import { defineDiagnostic } from "../../lang/diagnostics/index.ts";

const FORM = '`// capc: allow CODE because "reason"`';

export const silenceMalformed = defineDiagnostic<{ what: string }>({
  code: "silence-malformed",
  severity: "warning",
  say: ({ what }) => `this silences nothing: ${what}`,
  because: "A silence names the advice and the reason; one that cannot be read is ignored.",
  help: () => `write ${FORM}`,
});

export const silenceUnused = defineDiagnostic<{ code: string; why: string; near: string | undefined }>({
  code: "silence-unused",
  severity: "warning",
  say: ({ code, why }) => `\`allow ${code}\` silences nothing: ${why}`,
  because: "A silence that is left over hides the next finding of that kind, which nobody has looked at.",
  help: ({ near }) => (near === undefined ? "delete the comment" : `did you mean \`${near}\`?`),
});
