import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const idleWithoutLogin = defineDiagnostic<{ session: string }>({
  code: "idle-without-login",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` has an idle time but no \`login\`, so it would never lock`,
  because: "An idle time locks a session until the next login. A session without a login cannot be locked.",
  help: () => "write `principals NAME` and `login key`, or remove the line `TIME per idle`",
});

export const idleAfterLogin = defineDiagnostic<{ idle: string; login: string }>({
  code: "idle-after-login",
  severity: "error",
  say: ({ idle, login }) => `\`${idle}\` never locks the session, because \`${login}\` always locks it earlier`,
  because: "The time per login begins at the login. The idle time begins at the person's last input, which is later.",
  help: () => "write an idle time that is shorter than the time per login, or leave the idle time out",
});
