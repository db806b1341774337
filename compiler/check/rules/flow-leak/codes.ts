import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const flowLeak = defineDiagnostic<{ session: string; level: string; backend: string; cleared: string }>({
  code: "flow-leak",
  severity: "error",
  say: ({ session, level, backend, cleared }) =>
    `\`${level}\` can reach the backend \`${backend}\`, cleared for \`${cleared}\`, in the session \`${session}\``,
  because: "The whole conversation is sent to the backend, and nothing stops it there once it has seen too much.",
  help: ({ level }) => `give the backend \`clearance ${level}\`, or the session a lower clearance`,
});
