import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import type { LoginProof } from "../../../phases/bind/index.ts";

export const loginWithoutPrincipal = defineDiagnostic<{ session: string; proof: LoginProof }>({
  code: "login-without-principal",
  severity: "error",
  say: ({ session, proof }) =>
    `no person can log in to the session \`${session}\`: it has no principal with a ${proof}`,
  because: "A session with `login` is closed until one of its principals logs in.",
  help: ({ proof }) => {
    const shown = proof === "key" ? 'ssh "keys/NAME.pub"' : 'passphrase "NAME"';
    return `write \`principals NAME\` and \`principal NAME { ${shown} }\`, or leave \`login\` out`;
  },
});
