import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const unreadable = defineDiagnostic<{ path: string; reason: string; remedy?: string | undefined }>({
  code: "file-unreadable",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be read: ${reason}`,
  because: "Every file that a page names is part of its meaning, so capc must be able to read it.",
  help: ({ remedy }) => remedy,
});

/**
 * Matches paths of files in a folder `.git`. Files in such a folder must not be read: they may contain keys, and
 * findings quote the files that were read.
 */
export const OF_GIT = /(^|\/)\.git(\/|$)/;

export const outsidePackage = defineDiagnostic<{ path: string }>({
  code: "outside-package",
  severity: "error",
  say: ({ path }) =>
    OF_GIT.test(path)
      ? `\`${path}\` belongs to git, not to the package`
      : `\`${path}\` is outside the folder of the root page`,
  because:
    "A copy of the folder must have the same meaning anywhere, and a symbolic link must not lead to another file.",
  help: () => "copy the file into the folder, and name it by a path relative to the page that uses it",
});

export const importCycle = defineDiagnostic<{ cycle: readonly string[] }>({
  code: "import-cycle",
  severity: "error",
  say: ({ cycle }) => `the pages use each other in a cycle: ${cycle.join(" → ")}`,
  because: "capc reads the pages that a page uses before the page itself. In a cycle no page could be the first.",
  help: () => "move the declarations that both pages need into a third page",
});

export const unknownModule = defineDiagnostic<{ name: string; near: string | undefined; known: readonly string[] }>({
  code: "unknown-module",
  severity: "error",
  say: ({ name }) => `there is no module \`${name}\``,
  because: "A `use` without a path imports a module of the standard library.",
  help: ({ near, known }) => (near === undefined ? `known are ${known.join(", ")}` : `did you mean \`${near}\`?`),
});

export const tooManyFiles = defineDiagnostic<{ limit: number }>({
  code: "too-many-files",
  severity: "error",
  say: ({ limit }) => `the page uses more than ${limit} files`,
  because:
    "A typical page uses few files. The limit prevents that a wrong page uses all memory of the machine that compiles it.",
});

export const importTooLarge = defineDiagnostic<{ what: string }>({
  code: "import-too-large",
  severity: "error",
  say: ({ what }) => `the import has ${what}`,
  because:
    "Interface files are small. The limit prevents that a wrong file uses all memory of the machine that compiles the page.",
});
