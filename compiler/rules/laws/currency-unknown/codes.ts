import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const currencyUnknown = defineDiagnostic<{ currency: string; near: string | undefined }>({
  code: "currency-unknown",
  severity: "error",
  say: ({ currency }) => `\`${currency}\` is not a currency`,
  because: "An amount in an unknown currency is never charged and never compared, so its limit has no effect.",
  help: ({ near }) =>
    `write a code of ISO 4217, such as \`EUR\` or \`USD\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`,
});
