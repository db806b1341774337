import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const secretExposed = defineDiagnostic<{ holder: string; what: string; instead: string }>({
  code: "secret-exposed",
  severity: "error",
  say: ({ holder, what }) => `the credential of \`${holder}\` ${what}`,
  because: "A credential is for one server, and nobody on the way there hears it.",
  help: ({ instead }) => instead,
});

export const secretWithoutStorage = defineDiagnostic<{ holder: string }>({
  code: "secret-without-storage",
  severity: "error",
  say: ({ holder }) =>
    `the credential of \`${holder}\` is sealed to a machine, and this one has no disk to keep its key on`,
  because:
    "The key that opens a credential is made on the data disk; without a disk every start would need another seal.",
  help: () => 'write `storage { disk "capos-data" }`, with `encrypt passphrase` if others may hold the disk',
});
