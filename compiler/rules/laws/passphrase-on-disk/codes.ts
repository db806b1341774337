import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const passphraseWithoutDisk = defineDiagnostic<{ session: string }>({
  code: "passphrase-without-disk",
  severity: "error",
  say: ({ session }) =>
    `the session \`${session}\` needs a passphrase, but the page names no disk that could store its verifier`,
  because:
    "The data disk stores the verifier of a passphrase. In an image any person could read it, and guess the passphrase offline.",
  help: () => 'write `storage { disk "capos-data" }`, or `login key`',
});
