import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const serviceWithoutProvider = defineDiagnostic<{ face: string; provided: readonly string[] }>({
  code: "service-without-provider",
  severity: "error",
  say: ({ face }) => `no program of the image provides \`${face}\``,
  because: "A tool that nobody executes would be advertised and always fail.",
  help: ({ provided }) =>
    `the image answers for ${provided.join(", ")}; for others give a program of yours, \`exec "services/NAME.js"\``,
});
