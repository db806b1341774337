import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const principalWithoutKey = defineDiagnostic<{ principal: string; isNameless: boolean }>({
  code: "principal-without-key",
  severity: "error",
  say: ({ principal, isNameless }) =>
    isNameless
      ? `an authenticator of the principal \`${principal}\` has no name`
      : `the principal \`${principal}\` has no key and no passphrase`,
  because: "A principal can log in only with a key or a passphrase, and can sign a call only with a key.",
  help: () => 'write `ssh "keys/NAME.pub"`, or `passphrase "NAME"`',
});

export const keyShared = defineDiagnostic<{ principal: string; other: string }>({
  code: "key-shared",
  severity: "error",
  say: ({ principal, other }) => `\`${principal}\` has the same key or passphrase as \`${other}\``,
  because: "A login would not show which of the two people logged in.",
  help: () => "give each principal another key, or another name after `passphrase`",
});
