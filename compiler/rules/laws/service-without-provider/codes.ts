import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const serviceWithoutProvider = defineDiagnostic<{ face: string; provided: readonly string[] }>({
  code: "service-without-provider",
  severity: "error",
  say: ({ face }) => `no program of the image provides \`${face}\``,
  because: "The tools of such a service would be advertised and would always fail.",
  help: ({ provided }) =>
    `the image provides ${provided.join(", ")}; for other interfaces write a program, \`exec "services/NAME.js"\``,
});
