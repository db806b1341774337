import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const currencyUnknown = defineDiagnostic<{ currency: string; near: string | undefined }>({
  code: "currency-unknown",
  severity: "error",
  say: ({ currency }) => `\`${currency}\` is not a currency`,
  because: "An amount of money that does not exist is never charged and never compared: its limit limits nothing.",
  help: ({ near }) =>
    `write the code of ISO 4217, such as \`EUR\` or \`USD\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`,
});
