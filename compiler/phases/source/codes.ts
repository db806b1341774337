import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const unreadable = defineDiagnostic<{ path: string; reason: string; remedy?: string | undefined }>({
  code: "file-unreadable",
  severity: "error",
  say: ({ path, reason }) => `\`${path}\` cannot be read: ${reason}`,
  because: "Everything that a page names is part of what it means.",
  help: ({ remedy }) => remedy,
});

/**
 * Matches paths in git's own folder, which must not be read. It may contain keys of the checkout, and findings quote the files that were
 * read.
 */
export const OF_GIT = /(^|\/)\.git(\/|$)/;

export const outsidePackage = defineDiagnostic<{ path: string }>({
  code: "outside-package",
  severity: "error",
  say: ({ path }) =>
    OF_GIT.test(path)
      ? `\`${path}\` belongs to git, not to the package`
      : `\`${path}\` is outside the folder of the root page`,
  because: "A page means the same wherever its folder is copied to, and no link can make it read something else.",
  help: () => "copy the file into the folder, and name it by a path relative to the page that uses it",
});

export const importCycle = defineDiagnostic<{ cycle: readonly string[] }>({
  code: "import-cycle",
  severity: "error",
  say: ({ cycle }) => `the pages use each other in a circle: ${cycle.join(" → ")}`,
  because: "The order in which pages use each other must be plain.",
  help: () => "move what both need into a page of its own",
});

export const unknownModule = defineDiagnostic<{ name: string; near: string | undefined; known: readonly string[] }>({
  code: "unknown-module",
  severity: "error",
  say: ({ name }) => `there is no module \`${name}\``,
  because: "Modules that are not files of the package come from the standard library.",
  help: ({ near, known }) => (near === undefined ? `known are ${known.join(", ")}` : `did you mean \`${near}\`?`),
});

export const tooManyFiles = defineDiagnostic<{ limit: number }>({
  code: "too-many-files",
  severity: "error",
  say: ({ limit }) => `the page uses more than ${limit} files`,
  because: "A description of a system is short; the limit keeps a wrong one from using up the machine.",
});

export const importTooLarge = defineDiagnostic<{ what: string }>({
  code: "import-too-large",
  severity: "error",
  say: ({ what }) => `the import has ${what}`,
  because: "Descriptions of interfaces are short; the limit keeps a wrong one from using up the machine.",
});
