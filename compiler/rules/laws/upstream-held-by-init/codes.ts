import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const notHeldByInit = defineDiagnostic<{ source: string; why: string }>({
  code: "not-held-by-init",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` is not init's to pass on: ${why}`,
  because: "A process should not pass on more than it has, and upstream does not check that.",
  help: () => "add it to `init` in `image`, with the same badge",
});

export const initCannotStart = defineDiagnostic<{ what: string }>({
  code: "init-cannot-start",
  severity: "error",
  say: ({ what }) => `init is to start services and does not hold \`${what}\``,
  because: "Without them init can neither read what to start nor start it.",
  help: () => 'write `init "console", "process_spawner", "boot_package"`, or leave `init` out',
});
