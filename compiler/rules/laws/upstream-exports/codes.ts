import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const exportUnfit = defineDiagnostic<{ source: string; why: string }>({
  code: "export-unfit",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` cannot be exported: ${why}`,
  because:
    "Every service with a grant of this service can get what this service exports, and upstream requires no approval.",
  help: () => 'grant the capability directly to each service that needs it, and leave `"exported"` out',
});

export const exportUnknown = defineDiagnostic<{ service: string; why: string }>({
  code: "export-unknown",
  severity: "error",
  say: ({ service, why }) => `a grant of \`${service}\` refers to no export: ${why}`,
  because: "A process can only hold a capability that another process exports.",
  help: () => 'write `grant kernel.endpoint scope "exported"` in the service, or `"export NAME"` beside the grant',
});
