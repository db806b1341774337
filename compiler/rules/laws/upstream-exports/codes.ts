import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const exportUnfit = defineDiagnostic<{ source: string; why: string }>({
  code: "export-unfit",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` cannot be exported: ${why}`,
  because: "Every holder of a service has its exports, and upstream does not ask a person.",
  help: () => 'grant it to whoever needs it, and leave `"exported"` out',
});

export const exportUnknown = defineDiagnostic<{ service: string; why: string }>({
  code: "export-unknown",
  severity: "error",
  say: ({ service, why }) => `a grant of \`${service}\` leads nowhere: ${why}`,
  because: "A process can hold only what another process exports.",
  help: () => 'write `grant kernel.endpoint scope "exported"` in the service, or `"export NAME"` beside the grant',
});
