import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const notHeldByInit = defineDiagnostic<{ source: string; why: string }>({
  code: "not-held-by-init",
  severity: "error",
  say: ({ source, why }) => `init cannot pass on \`${source}\`: ${why}`,
  because: "A process should not give away more rights than it has, and upstream does not check this.",
  help: () => "add the capability to `init` in `image`, with the same badge",
});

export const initCannotStart = defineDiagnostic<{ what: string }>({
  code: "init-cannot-start",
  severity: "error",
  say: ({ what }) => `init starts services, but does not hold \`${what}\``,
  because: "Without these capabilities init can neither read the list of services nor start them.",
  help: () => 'write `init "console", "process_spawner", "boot_package"`, or leave `init` out',
});
