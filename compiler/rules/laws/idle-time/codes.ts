import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const idleWithoutLogin = defineDiagnostic<{ session: string }>({
  code: "idle-without-login",
  severity: "error",
  say: ({ session }) => `the session \`${session}\` has an idle time and no \`login\`: it would never lock`,
  because: "An idle time locks a session until the next login. A session without a login cannot be locked.",
  help: () => "write `principals NAME` and `login key`, or leave the time per idle out",
});

export const idleAfterLogin = defineDiagnostic<{ idle: string; login: string }>({
  code: "idle-after-login",
  severity: "error",
  say: ({ idle, login }) => `\`${idle}\` never locks the session: \`${login}\` locks it before`,
  because: "A time per login runs from the login, and a time per idle from the person's last word, which comes later.",
  help: () => "write a time per idle that is shorter than the time per login, or leave it out",
});
