import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const exportUnfit = defineDiagnostic<{ source: string; why: string }>({
  code: "export-unfit",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` cannot be exported: ${why}`,
  because: "What a service exports any holder of it has, and upstream asks nobody whether it should.",
  help: () => 'grant it to whoever needs it, and leave `"exported"` out',
});

export const exportUnknown = defineDiagnostic<{ service: string; why: string }>({
  code: "export-unknown",
  severity: "error",
  say: ({ service, why }) => `a grant of \`${service}\` leads nowhere: ${why}`,
  because: "What a process holds must be a thing that somebody exports.",
  help: () => 'write `grant kernel.endpoint scope "exported"` in the service, or `"export NAME"` beside the grant',
});
