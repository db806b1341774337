import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const secretExposed = defineDiagnostic<{ holder: string; what: string; instead: string }>({
  code: "secret-exposed",
  severity: "error",
  say: ({ holder, what }) => `the credential of \`${holder}\` ${what}`,
  because: "A credential must reach one server only, and must not be readable on the way.",
  help: ({ instead }) => instead,
});

export const secretWithoutStorage = defineDiagnostic<{ holder: string }>({
  code: "secret-without-storage",
  severity: "error",
  say: ({ holder }) =>
    `the credential of \`${holder}\` is sealed to a machine, but the page names no disk for the machine's key`,
  because:
    "The machine stores the key that opens credentials on its data disk. Without a disk each start would make a new key.",
  help: () => 'write `storage { disk "capos-data" }`, with `encrypt passphrase` if the disk could be stolen',
});
