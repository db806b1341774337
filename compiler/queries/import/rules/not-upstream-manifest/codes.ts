import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const notUpstreamManifest = defineDiagnostic<{ what: string; reason: string }>({
  code: "not-upstream-manifest",
  severity: "error",
  say: ({ what, reason }) => `\`${escapeInvisible(what)}\`: ${escapeInvisible(reason)}`,
  because: "Upstream's own crate would not start from it, and a part of it would be a page of another system.",
  help: () =>
    "give the file that upstream's kernel boots with: SystemManifest of capos-config 0.1.0, unpacked, nothing behind it",
});
