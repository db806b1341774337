import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const principalWithoutKey = defineDiagnostic<{ principal: string }>({
  code: "principal-without-key",
  severity: "error",
  say: ({ principal }) => `the principal \`${principal}\` has no key`,
  because: "A principal is known by what it can prove, and by nothing else.",
  help: () => 'write `ssh "keys/NAME.pub"`',
});

export const keyShared = defineDiagnostic<{ principal: string; other: string }>({
  code: "key-shared",
  severity: "error",
  say: ({ principal, other }) => `\`${principal}\` has the same key as \`${other}\``,
  because: "A proof with this key would not say which of the two gave it.",
  help: () => "give each principal a key of its own",
});
