import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const passphraseWithoutDisk = defineDiagnostic<{ session: string }>({
  code: "passphrase-without-disk",
  severity: "error",
  say: ({ session }) =>
    `the session \`${session}\` is opened by a passphrase, and the page names no disk that could know it`,
  because:
    "What a passphrase is compared with is kept on the data disk: anybody may read an image, and guess at leisure.",
  help: () => 'write `storage { disk "capos-data" }`, or `login key`',
});
