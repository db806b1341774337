import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const grantCycle = defineDiagnostic<{ cycle: readonly string[] }>({
  code: "grant-cycle",
  severity: "error",
  say: ({ cycle }) => `these services hold each other: ${cycle.join(" → ")}`,
  because: "A provider starts before its holders, and what may reach what has to come to an end.",
  help: () => "move what both need into a service of its own",
});

export const grantWider = defineDiagnostic<{ scope: string; holder: string; has: readonly string[] }>({
  code: "grant-wider",
  severity: "error",
  say: ({ scope, holder }) => `\`${scope}\` is more than \`${holder}\` itself may reach`,
  because: "A service cannot pass on more than it holds: the scope would look wider than it is.",
  help: ({ has }) => `stay within ${has.map((one) => `\`${one}\``).join(", ")}`,
});

export const grantAboveLabel = defineDiagnostic<{ service: string; level: string; holder: string; own: string }>({
  code: "grant-above-label",
  severity: "error",
  say: ({ service, level, holder, own }) =>
    `\`${service}\` holds data of \`${level}\`, above the label \`${own}\` of its holder \`${holder}\``,
  because: "A service returns data of its grants under its own label: secrets would lose theirs.",
  help: ({ level }) => `let the label of the holder reach up to \`${level}\`, or leave the grant out`,
});

export const grantNotProvided = defineDiagnostic<{ face: string }>({
  code: "grant-not-provided",
  severity: "error",
  say: ({ face }) => `no program of the image provides \`${face}\``,
  because: "A capability that no process serves is useless: its first use would fail.",
  help: () => "name a service of the page, or an interface that the system serves",
});

export const grantTwice = defineDiagnostic<{ to: string }>({
  code: "grant-twice",
  severity: "error",
  say: ({ to }) => `\`${to}\` is granted twice to one service`,
  because: "If one thing is granted twice, the wider grant counts, and the other one only looks like a limit.",
  help: () => "write all scopes in one grant",
});

export const grantUnused = defineDiagnostic<{ service: string }>({
  code: "grant-unused",
  severity: "error",
  say: ({ service }) => `no session can use \`${service}\`, so its grants are never used`,
  because: "Only an attacker uses a capability that nothing else can use.",
  help: () => "let a session use the service, or leave the grant out",
});

export const grantAboveTrust = defineDiagnostic<{ service: string; trust: string; holder: string; own: string }>({
  code: "grant-above-trust",
  severity: "error",
  say: ({ service, trust, holder, own }) =>
    `\`${service}\` is only trusted as \`${trust}\`, and its holder \`${holder}\` returns its data as \`${own}\``,
  because: "A service returns data of its grants under its own label: untrusted data would look trusted.",
  help: ({ trust }) => `let the label of the holder say \`${trust}\`, or leave the grant out`,
});

export const patchesWithoutFiles = defineDiagnostic<{ service: string; what: string }>({
  code: "patches-without-files",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` keeps patch sets and ${what}`,
  because: "A patch set changes the files of one service, which decides and journals all of it at once.",
  help: () => "grant it one service of `Files` that the image answers for: `grant NAME`",
});
