import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const secretUnsealed = defineDiagnostic<{ secret: string; origin: string }>({
  code: "secret-unsealed",
  severity: "warning",
  say: ({ secret }) =>
    `there is no sealed credential \`vault.${secret}\`: the machine will refuse each call that uses the credential, and show the public key to seal it with`,
  because: "Only the machine that uses a credential can open it, with a key that the machine makes at its first start.",
  help: ({ secret, origin }) =>
    `run \`capc secret seal ${secret} --for ${origin} --to KEY\` beside the page, and build again`,
});

export const secretUnfit = defineDiagnostic<{ path: string; reason: string; instead: string }>({
  code: "secret-unfit",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` does not fit the page: ${reason}`,
  because: "A credential is sealed for one server, so that a change of the page cannot send it to another server.",
  help: ({ instead }) => instead,
});
