import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const networkMissing = defineDiagnostic<{ service: string }>({
  code: "network-missing",
  severity: "error",
  say: ({ service }) => `\`${service}\` asks other machines, and the page does not say how this one reaches them`,
  because: "A network card is driven only where the page says so, and every image of such a page says it at its start.",
  help: () => "write `network { address dhcp }`",
});

export const networkUnused = defineDiagnostic<Record<string, never>>({
  code: "network-unused",
  severity: "error",
  say: () => "the page has a network, and none of its services or backends uses it",
  because: "Only an attacker uses a network that nothing else uses.",
  help: () => "leave it out",
});

export const networkIncomplete = defineDiagnostic<{ what: string }>({
  code: "network-incomplete",
  severity: "error",
  say: ({ what }) => what,
  because: "With half an address the machine would reach others than the page means, or nobody.",
  help: () =>
    'write `network { address static  host "192.168.1.5/24"  router "192.168.1.1"  resolvers "192.168.1.1" }`, or `address dhcp` alone',
});

export const collectorUnfit = defineDiagnostic<{ what: string }>({
  code: "collector-unfit",
  severity: "error",
  say: ({ what }) => `the collector ${what}`,
  because: "A collector that gets no records, or whose address anybody may take, gives false assurance.",
  help: () =>
    'write `collector "https://logs.example.net/v1/logs"` or `"syslog+tls://logs.example.net:6514"` in `network`, and `storage { disk "capos-data" }`',
});

export const scopeUnreadable = defineDiagnostic<{ scope: string; why: string }>({
  code: "scope-unreadable",
  severity: "error",
  say: ({ scope, why }) => `\`${scope}\` cannot be read: ${why}`,
  because: "A limit without a meaning limits nothing, and looks as if it did.",
  help: () =>
    'write an address such as `"https://status.example.net/api"`, `"GET"`, `"POST"`, `"answers of 64 KiB"`, `"bodies of 4 KiB"`, `"within 20 s"`, `"pin sha256:…"` or `"token vault.NAME"`',
});

export const reachMissing = defineDiagnostic<{ service: string; face: string; what: string }>({
  code: "reach-missing",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` ${what}`,
  because: "A service may ask only the servers that the page names.",
  help: ({ face }) => `write \`grant ${face} scope "https://status.example.net/api", "GET"\` in it, and no other grant`,
});
