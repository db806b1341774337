import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamWord = defineDiagnostic<{ word: string; why: string }>({
  code: "upstream-word",
  severity: "error",
  say: ({ word, why }) => `\`${word}\` is not a valid word: ${why}`,
  because: "Upstream silently ignores unknown words, so a misspelt grant would not exist.",
  help: () =>
    'name a capability of the kernel, such as `"console"`; the words after a grant are `"as NAME"`, `"badge N"`, `"discloses WORD"`, `"exported"` and `"export NAME"`',
});

export const otherTarget = defineDiagnostic<{ what: string; target: string }>({
  code: "other-target",
  severity: "error",
  say: ({ what, target }) => `${what} has no meaning for \`target ${target}\``,
  because: "The author of a line relies on it. So a line without effect must be an error.",
  help: () => "delete this part of the page, or use a target that supports it",
});
