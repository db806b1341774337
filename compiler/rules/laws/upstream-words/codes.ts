import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamWord = defineDiagnostic<{ word: string; why: string }>({
  code: "upstream-word",
  severity: "error",
  say: ({ word, why }) => `\`${word}\` cannot be read: ${why}`,
  because: "Upstream silently drops unknown words: a rule with a slip would not exist.",
  help: () =>
    'write a kernel source such as `"console"`, and beside a grant `"as NAME"`, `"badge N"`, `"discloses WORD"`, `"exported"` or `"export NAME"`',
});

export const otherTarget = defineDiagnostic<{ what: string; target: string }>({
  code: "other-target",
  severity: "error",
  say: ({ what, target }) => `${what} has no meaning for \`target ${target}\``,
  because: "A line that is accepted and does nothing is worse than none: its author believes that it holds.",
  help: () => "leave it out, or write the target that knows it",
});
