import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const networkMissing = defineDiagnostic<{ service: string }>({
  code: "network-missing",
  severity: "error",
  say: ({ service }) => `\`${service}\` contacts other machines, but the page gives the machine no network`,
  because: "The machine uses a network card only if the page has a `network` block with an address.",
  help: () => "write `network { address dhcp }`",
});

export const networkUnused = defineDiagnostic<Record<string, never>>({
  code: "network-unused",
  severity: "error",
  say: () => "the page has a network, but none of its services or backends uses it",
  because: "A network that no service or backend needs can only help an attacker.",
  help: () => "delete the `network` block",
});

export const networkIncomplete = defineDiagnostic<{ what: string }>({
  code: "network-incomplete",
  severity: "error",
  say: ({ what }) => what,
  because: "With an incomplete address the machine would reach wrong machines, or none.",
  help: () =>
    'write `network { address static  host "192.168.1.5/24"  router "192.168.1.1"  resolvers "192.168.1.1" }`, or `address dhcp` alone',
});

export const collectorUnfit = defineDiagnostic<{ what: string }>({
  code: "collector-unfit",
  severity: "error",
  say: ({ what }) => `the collector ${what}`,
  because:
    "If a collector receives no records, or anyone can take its address, the audit is not where its reader expects it.",
  help: () =>
    'write `collector "https://logs.example.net/v1/logs"` or `"syslog+tls://logs.example.net:6514"` in `network`, and `storage { disk "capos-data" }`',
});

export const scopeUnreadable = defineDiagnostic<{ scope: string; why: string; fix: string | undefined }>({
  code: "scope-unreadable",
  severity: "error",
  say: ({ scope, why }) => `\`${scope}\` is not a valid scope: ${why}`,
  because: "A limit that capc does not understand would have no effect, although it looks like a limit.",
  help: ({ fix }) =>
    fix ??
    'write an address such as `"https://status.example.net/api"`, `"GET"`, `"POST"`, `"answers of 64 KiB"`, `"bodies of 4 KiB"`, `"within 20 s"`, `"token vault.NAME"`, or `"pin sha256:DIGITS"` with the 64 hexadecimal digits of the SHA-256 of the server\'s public key',
});

export const reachMissing = defineDiagnostic<{ service: string; face: string; what: string }>({
  code: "reach-missing",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` ${what}`,
  because: "A service may contact only servers that the page names.",
  help: ({ face }) =>
    `write \`grant ${face} scope "https://status.example.net/api", "GET"\` in the service, and no other grant`,
});
