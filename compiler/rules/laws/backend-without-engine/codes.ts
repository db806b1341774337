import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const backendWithoutEngine = defineDiagnostic<{ backend: string }>({
  code: "backend-without-engine",
  severity: "error",
  say: ({ backend }) => `the backend \`${backend}\` has no engine`,
  because: "A backend without an engine cannot answer, so its sessions would have no agent.",
  help: () => 'write `cpu`, `remote openai "https://…"` or `stub "FILE"` as the first word of the block',
});
