import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const principalWithoutKey = defineDiagnostic<{ principal: string; isNameless: boolean }>({
  code: "principal-without-key",
  severity: "error",
  say: ({ principal, isNameless }) =>
    isNameless
      ? `a proof of the principal \`${principal}\` has no name`
      : `the principal \`${principal}\` has nothing that proves it`,
  because: "A principal is known by what it can prove, and by nothing else.",
  help: () => 'write `ssh "keys/NAME.pub"`, or `passphrase "NAME"`',
});

export const keyShared = defineDiagnostic<{ principal: string; other: string }>({
  code: "key-shared",
  severity: "error",
  say: ({ principal, other }) => `\`${principal}\` has the same proof as \`${other}\``,
  because: "It would not say which of the two was there.",
  help: () => "give each principal a key, or a name of a passphrase, of its own",
});
