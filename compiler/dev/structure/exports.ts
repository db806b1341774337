// Finds in the text of each file the names that it exports and imports: declarations, lists and re-exports, including
// types. An import() counts as an import of the names that the text takes from it. If the text shows no names, it
// counts as an import of all names.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Name that stands for all exports of a file, in an import or a re-export. */
const ALL = "*";

interface Export {
  readonly path: string;
  readonly name: string;
  /** Origin of a re-export: the file, and the name in this file. */
  readonly of?: { readonly path: string; readonly name: string };
}

/** A name that a file imports, and the file that exports it. */
interface Taken {
  readonly path: string;
  readonly name: string;
}

interface Names {
  readonly exports: readonly Export[];
  readonly taken: readonly Taken[];
}

interface Exemption {
  readonly files: RegExp;
  readonly names: RegExp;
  readonly reason: string;
}

/** Exports that are used although no import shows the use. */
export const EXEMPTIONS: readonly Exemption[] = [
  { files: /\/generated\//, names: /./, reason: "a schema is written out as a whole" },
  { files: /\.config\.(?:ts|mjs)$/, names: /^default$/, reason: "a tool reads its configuration by path" },
  { files: /\/codes\.ts$/, names: /^[a-z]/, reason: "the pages of diagnostics are made of every kind in such a file" },
  { files: /\/(?:bad|good)[\w-]*\.ts$/, names: /^(?:files|findings)$/, reason: "a test loads examples by path" },
  {
    files: /^compiler\/dev\/stryker\/sample\.ts$/,
    names: /^strykerPlugins$/,
    reason: "Stryker loads the file by path",
  },
  { files: /^compiler\/editors\/vscode\/extension\.ts$/, names: /^(?:de)?activate$/, reason: "VS Code calls both" },
  {
    files: /^compiler\/editors\/playground\/bundle\.ts$/,
    names: /^(?:createDiskHost|locateStandardFile)$/,
    reason: "text of a program that it writes",
  },
  {
    files: /^engine\/lib\/wire\/quick\.ts$/,
    names: /^put/,
    reason: "a schema's fields say what a generated module imports",
  },
  {
    files: /^engine\/outside\/osd\/testing\/writing\.ts$/,
    names: /^killedWrite$/,
    reason: "a test writes a program with it",
  },
];

const DECLARATION =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
const DEFAULT = /^export\s+default\b/gm;
const FROM = /^(import|export)\s+(?:type\s+)?([^;"'`=]*?)\s*\bfrom\s*["'](\.[^"']*)["']/gm;
const LIST = /^export\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/gm;
const DYNAMIC =
  /(?:\{([^{}]*)\}\s*=\s*await\s+)?\bimport\(\s*["'](\.[^"']*)["']\s*\)(?:\s*\)?\s*\.\s*(?!then\b|catch\b|finally\b)(\w+))?/g;

/** Returns the names that files export and import; all paths are relative to the checkout. */
export function readNames(checkout: string, paths: readonly string[]): Names {
  const all = paths.map((path) => namesIn(readFileSync(join(checkout, path), "utf8"), path));
  return { exports: all.flatMap(({ exports }) => exports), taken: all.flatMap(({ taken }) => taken) };
}

/** Returns the names that the text of a file exports and imports. */
export function namesIn(text: string, path: string): Names {
  const resolve = (to: string): string => relative("/", join("/", dirname(path), to));
  const declared = [...text.matchAll(DECLARATION)].map(([, name = ""]) => ({ path, name }));
  const nameless = [...text.matchAll(DEFAULT)].map(() => ({ path, name: "default" }));
  const listed = [...text.matchAll(LIST)].flatMap(([, list = ""]) =>
    readList(list).map(({ as }) => ({ path, name: as })),
  );
  const from = [...text.matchAll(FROM)].map(([, word, clause = "", to = ""]) => ({ word, clause, to: resolve(to) }));
  const passed = from
    .filter(({ word }) => word === "export")
    .flatMap(({ clause, to }) =>
      readClause(clause).map(({ name, as }) => ({ path, name: as, of: { path: to, name } })),
    );
  const imported = from
    .filter(({ word }) => word === "import")
    .flatMap(({ clause, to }) =>
      readClause(clause).flatMap((each) => takenOf(text, each).map((name) => ({ path: to, name }))),
    );
  const loaded = [...text.matchAll(DYNAMIC)].flatMap(([, list, to = "", property]) => {
    const names =
      list === undefined ? [property ?? ALL] : readList(list.replaceAll(":", " as ")).map(({ name }) => name);
    return names.map((name) => ({ path: resolve(to), name }));
  });
  return { exports: [...declared, ...nameless, ...listed, ...passed], taken: [...imported, ...loaded] };
}

interface Bound {
  readonly name: string;
  readonly as: string;
}

/**
 * Returns the names of a list such as `a, type B as C`. `as` is the name after the word `as`, or the same name
 * without this word.
 */
function readList(list: string): readonly Bound[] {
  return list
    .replaceAll(/\/\/.*$/gm, "")
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });
}

/** Returns the names between `import` or `export` and `from`: a default, `* as x`, `*` and a list. */
function readClause(clause: string): readonly Bound[] {
  const [before = "", list = ""] = clause.split(/[{}]/);
  const others = readList(before).map(({ name, as }) => {
    if (name === ALL) return { name, as };
    return { name: "default", as };
  });
  return [...others, ...readList(list)];
}

/**
 * Returns the imported names that a text uses. For a namespace these are the names after its dot, or all names if the
 * namespace is used as a value.
 */
function takenOf(text: string, { name, as }: Bound): readonly string[] {
  if (name !== ALL) return [name];
  const uses = [...text.matchAll(new RegExp(`(?<![\\w.])${as}\\b(?!\\s+from\\b)(?:\\.(\\w+))?`, "g"))];
  return uses.map(([, used]) => used ?? ALL);
}

/**
 * Returns the exports that no other file imports and no exemption covers. A re-export that no other file imports does
 * not count as an import.
 */
export function findUnusedExports(
  { exports, taken }: Names,
  exemptions: readonly Exemption[] = EXEMPTIONS,
): readonly Export[] {
  const byFile = Map.groupBy(exports, ({ path }) => path);
  const used = new Set<Export>();
  const use = ({ path, name }: Taken): void => {
    for (const each of byFile.get(path) ?? []) {
      const isAsked = name === ALL || each.name === name || each.name === ALL;
      if (!isAsked || (used.has(each) && each.name !== ALL)) continue;
      used.add(each);
      if (each.of !== undefined) use({ path: each.of.path, name: each.name === ALL ? name : each.of.name });
    }
  };
  for (const each of taken) use(each);
  for (const each of exports) {
    if (exemptions.some(({ files, names }) => files.test(each.path) && names.test(each.name))) use(each);
  }
  return exports.filter((each) => !used.has(each));
}
