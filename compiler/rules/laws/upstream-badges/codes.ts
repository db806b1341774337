import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const badgeUnfit = defineDiagnostic<{ what: string; why: string }>({
  code: "badge-unfit",
  severity: "error",
  say: ({ what, why }) => `\`${what}\` ${why}`,
  because: "Upstream accepts any badge in its boot file, but refuses a wrong badge when the process starts.",
  help: () => "leave `badge` out; only for `tcp_listen_authority` write the port as `badge`",
});
