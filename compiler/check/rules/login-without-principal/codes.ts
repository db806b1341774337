import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const loginWithoutPrincipal = defineDiagnostic<{ session: string }>({
  code: "login-without-principal",
  severity: "error",
  say: ({ session }) => `nobody could ever log in to the session \`${session}\`: it has no principal with a key`,
  because: "A session with `login` is closed until one of its principals has opened it.",
  help: () => 'write `principals NAME` and `principal NAME { ssh "keys/NAME.pub" }`, or leave `login` out',
});
