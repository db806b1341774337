import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const passphraseWithoutDisk = defineDiagnostic<{ session: string }>({
  code: "passphrase-without-disk",
  severity: "error",
  say: ({ session }) =>
    `the session \`${session}\` needs a passphrase, but the page names no disk that could store its verifier`,
  because: "The data disk keeps the verifier of a passphrase: in an image anybody could read it, and guess at leisure.",
  help: () => 'write `storage { disk "capos-data" }`, or `login key`',
});
