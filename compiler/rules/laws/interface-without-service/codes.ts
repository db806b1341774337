import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const interfaceWithoutService = defineDiagnostic<{ face: string }>({
  code: "interface-without-service",
  severity: "error",
  say: ({ face }) => `no service of the page has the interface \`${face}\``,
  because: "Facts about methods make tools only where a service owns them; here they classify what nobody can call.",
  help: ({ face }) => `write \`service NAME : ${face} { … }\`, or leave the facts out`,
});
