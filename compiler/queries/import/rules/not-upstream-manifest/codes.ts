import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const notUpstreamManifest = defineDiagnostic<{ what: string; reason: string }>({
  code: "not-upstream-manifest",
  severity: "error",
  say: ({ what, reason }) => `\`${escapeInvisible(what)}\`: ${escapeInvisible(reason)}`,
  because:
    "Upstream's own crate refuses this file. A page that is made from only a part of the file would describe another system.",
  help: () =>
    "use the boot file of upstream's kernel: one unpacked SystemManifest message of capos-config 0.1.0, without further bytes",
});
