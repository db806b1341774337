import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const badgeUnfit = defineDiagnostic<{ what: string; why: string }>({
  code: "badge-unfit",
  severity: "error",
  say: ({ what, why }) => `\`${what}\` ${why}`,
  because: "Upstream accepts any number in its file, and refuses it when the process starts.",
  help: () => "leave `badge` out; of `tcp_listen_authority` it is the port",
});
