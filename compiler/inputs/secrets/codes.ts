import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const secretUnsealed = defineDiagnostic<{ secret: string; origin: string }>({
  code: "secret-unsealed",
  severity: "warning",
  say: ({ secret }) =>
    `\`vault.${secret}\` is not sealed: a call that uses it is refused, and the refusal names the key to seal it for`,
  because: "A credential is sealed to the machine that uses it, which makes its key at its first start.",
  help: ({ secret, origin }) =>
    `run \`capc secret seal ${secret} --for ${origin} --to KEY\` beside the page, and build again`,
});

export const secretUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "secret-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` is not what the page means: ${reason}`,
  because: "A credential is sealed for one server: no change of a page sends it to another one.",
  help: ({ instead }) => instead,
});
