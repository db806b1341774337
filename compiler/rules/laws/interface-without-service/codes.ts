import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const interfaceWithoutService = defineDiagnostic<{ face: string }>({
  code: "interface-without-service",
  severity: "error",
  say: ({ face }) => `no service of the page has the interface \`${face}\``,
  because: "Methods become tools only through a service, so these facts are about methods that cannot be called.",
  help: ({ face }) => `write \`service NAME : ${face} { … }\`, or leave the facts out`,
});
