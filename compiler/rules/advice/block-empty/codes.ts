import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const blockEmpty = defineDiagnostic<{ what: string; why: string }>({
  code: "block-empty",
  severity: "warning",
  say: ({ what, why }) => `${what} ${why}`,
  because: "An empty block has no effect, so its content is probably missing.",
  help: () => "write the content of the block, or leave the block out",
});
