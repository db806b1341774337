import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const grantCycle = defineDiagnostic<{ cycle: readonly string[] }>({
  code: "grant-cycle",
  severity: "error",
  say: ({ cycle }) => `these services hold grants of each other in a cycle: ${cycle.join(" → ")}`,
  because: "A service starts only after the services that it may use. In a cycle no service could start first.",
  help: () => "move the methods that both services need into a third service",
});

export const grantWider = defineDiagnostic<{ scope: string; holder: string; has: readonly string[] }>({
  code: "grant-wider",
  severity: "error",
  say: ({ scope, holder }) => `\`${scope}\` grants more rights than \`${holder}\` itself has`,
  because: "A service cannot give more rights than it has, so a part of this scope would have no effect.",
  help: ({ has }) => `limit the scope to ${has.map((one) => `\`${one}\``).join(", ")}`,
});

export const grantAboveLabel = defineDiagnostic<{ service: string; level: string; holder: string; own: string }>({
  code: "grant-above-label",
  severity: "error",
  say: ({ service, level, holder, own }) =>
    `\`${holder}\` has a grant of \`${service}\`; the label \`${level}\` of the granted service is above the label \`${own}\` of \`${holder}\``,
  because: "A service returns the data of granted services with its own label, so secret data would get a lower label.",
  help: ({ level }) => `raise the label of the holder to \`${level}\`, or leave the grant out`,
});

export const grantNotProvided = defineDiagnostic<{ face: string }>({
  code: "grant-not-provided",
  severity: "error",
  say: ({ face }) => `no program of the image provides \`${face}\``,
  because: "If no process serves a capability, every use of it fails.",
  help: () => "name a service of the page, or an interface that the system serves",
});

export const grantTwice = defineDiagnostic<{ to: string }>({
  code: "grant-twice",
  severity: "error",
  say: ({ to }) => `one service has two grants of \`${to}\``,
  because:
    "If a service has two grants of the same target, the wider one applies, and the narrower one limits nothing.",
  help: () => "write all scopes in one grant",
});

export const grantUnused = defineDiagnostic<{ service: string }>({
  code: "grant-unused",
  severity: "error",
  say: ({ service }) => `no session can use \`${service}\`, so its grants are never used`,
  because: "A grant that no session needs can only help an attacker.",
  help: () => "let a session use the service, or leave the grant out",
});

export const grantAboveTrust = defineDiagnostic<{ service: string; trust: string; holder: string; own: string }>({
  code: "grant-above-trust",
  severity: "error",
  say: ({ service, trust, holder, own }) =>
    `the data of \`${service}\` is only \`${trust}\`, but \`${holder}\`, which has a grant of it, would return this data as \`${own}\``,
  because:
    "A service returns the data of granted services with its own label, so untrusted data would count as trusted.",
  help: ({ trust }) => `lower the integrity in the label of the holder to \`${trust}\`, or leave the grant out`,
});

export const patchesWithoutFiles = defineDiagnostic<{ service: string; what: string }>({
  code: "patches-without-files",
  severity: "error",
  say: ({ service, what }) =>
    `the \`PatchSets\` service \`${service}\` needs a grant of exactly one \`Files\` service, and ${what}`,
  because: "A patch set changes files of exactly one `Files` service, as one transaction.",
  help: () => "write `grant NAME` in the service, with the name of one `Files` service of the image",
});
