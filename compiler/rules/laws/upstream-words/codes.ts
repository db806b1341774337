import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamWord = defineDiagnostic<{ word: string; why: string }>({
  code: "upstream-word",
  severity: "error",
  say: ({ word, why }) => `\`${word}\` cannot be read: ${why}`,
  because: "Upstream drops what it does not know in silence: a slip would be no rule at all.",
  help: () =>
    'write a kernel source such as `"console"`, and beside a grant `"as NAME"`, `"badge N"`, `"discloses WORD"`, `"exported"` or `"export NAME"`',
});

export const otherTarget = defineDiagnostic<{ what: string; target: string }>({
  code: "other-target",
  severity: "error",
  say: ({ what, target }) => `${what} means nothing for \`target ${target}\``,
  because: "A line that is accepted and does nothing is worse than none: whoever wrote it believes that it holds.",
  help: () => "leave it out, or write the target that knows it",
});
