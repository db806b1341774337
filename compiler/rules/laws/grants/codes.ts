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
  because: "Nobody can hand on what they do not hold: the scope would look wider than it ever is.",
  help: ({ has }) => `stay within ${has.map((one) => `\`${one}\``).join(", ")}`,
});

export const grantAboveLabel = defineDiagnostic<{ service: string; level: string; holder: string; own: string }>({
  code: "grant-above-label",
  severity: "error",
  say: ({ service, level, holder, own }) =>
    `\`${service}\` holds what is \`${level}\`, and \`${holder}\`, which may use it, no more than \`${own}\``,
  because: "What a service reads through a grant comes out of it with its own label: secrets would lose theirs.",
  help: ({ level }) => `let the label of the holder reach up to \`${level}\`, or leave the grant out`,
});

export const grantNotProvided = defineDiagnostic<{ face: string }>({
  code: "grant-not-provided",
  severity: "error",
  say: ({ face }) => `nothing in the image answers for \`${face}\``,
  because: "A capability that nobody serves is held for nothing: the first use of it would fail.",
  help: () => "name a service of the page, or an interface that the system serves",
});

export const grantTwice = defineDiagnostic<{ to: string }>({
  code: "grant-twice",
  severity: "error",
  say: ({ to }) => `\`${to}\` is granted twice to one service`,
  because: "Of two grants of one thing the wider one always counts, and the other one only looks like a limit.",
  help: () => "write all scopes in one grant",
});

export const grantUnused = defineDiagnostic<{ service: string }>({
  code: "grant-unused",
  severity: "error",
  say: ({ service }) => `nobody can use \`${service}\`, so that what is granted to it is never used`,
  because: "A capability that nothing can exercise is one that only an attacker finds.",
  help: () => "let a session use the service, or leave the grant out",
});

export const grantAboveTrust = defineDiagnostic<{ service: string; trust: string; holder: string; own: string }>({
  code: "grant-above-trust",
  severity: "error",
  say: ({ service, trust, holder, own }) =>
    `\`${service}\` is trusted as \`${trust}\`, and what \`${holder}\`, which may use it, gives out as \`${own}\``,
  because: "What a service reads through a grant comes out of it with its own label: nobody would have looked at it.",
  help: ({ trust }) => `let the label of the holder say \`${trust}\`, or leave the grant out`,
});

export const patchesWithoutFiles = defineDiagnostic<{ service: string; what: string }>({
  code: "patches-without-files",
  severity: "error",
  say: ({ service, what }) => `\`${service}\` keeps patch sets and ${what}`,
  because: "A patch set changes the files of one service, which decides and journals all of it at once.",
  help: () => "grant it one service of `Files` that the image answers for: `grant NAME`",
});
