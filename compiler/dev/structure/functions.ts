// Lists the functions of the checkout by name, and whether a name begins with a verb. It reads the text, because
// TypeScript 7 has no API, and names do not depend on types.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Verbs with which names of functions may begin. The set also contains nouns that names of functions use as verbs. */
const VERBS: ReadonlySet<string> = new Set(
  readFileSync(new URL("verbs.txt", import.meta.url), "utf8")
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const DECLARATION = /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+(\w+)/gm;
const ARROW =
  /^\s*(?:export\s+)?const\s+(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:async\s*)?(?:<[^>\n]*>\s*)?(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\w+)(?:\s*:\s*[^=>\n]+)?\s*=>/gm;
const METHOD =
  /^ {2,}(?:private |public |protected |static |override )*(?:async )?\*?#?(\w+)(?:<[^>\n]*>)?\([^;]*?\)(?:\s*:\s*[^;{\n]+)?\s*\{$/gm;
const KEYWORDS: ReadonlySet<string> = new Set([
  "catch",
  "constructor",
  "for",
  "function",
  "if",
  "switch",
  "while",
  "with",
]);

/** Returns the names of the functions that a source text declares: declarations, named arrow functions, and methods. */
export function findFunctions(text: string): readonly string[] {
  return [DECLARATION, ARROW, METHOD]
    .flatMap((form) => [...text.matchAll(form)].map(([, name = ""]) => name))
    .filter((name) => !KEYWORDS.has(name));
}

/** Returns whether the first word of a name is a verb in `verbs.txt`. */
export function hasVerbFirst(name: string): boolean {
  const [first = name] = name.match(/^(?:[a-z]+|[A-Z][a-z]*)/) ?? [];
  return VERBS.has(first.toLowerCase());
}

interface Named {
  readonly functions: number;
  readonly verbs: number;
  /** Names that do not begin with a verb, each with the path of its file, in the order of the files. */
  readonly others: readonly { readonly path: string; readonly name: string }[];
}

/** Returns the sources whose functions are counted: without tests, generated files, and programs of examples. */
export function selectNamedSources(sources: readonly string[], isTest: (path: string) => boolean): readonly string[] {
  return sources.filter((path) => !isTest(path) && !path.includes("/generated/") && !path.startsWith("examples/"));
}

/** Counts the functions of files. */
export function countFunctions(checkout: string, paths: readonly string[]): Named {
  const all = paths.flatMap((path) =>
    findFunctions(readFileSync(join(checkout, path), "utf8")).map((name) => ({ path, name })),
  );
  const others = all.filter(({ name }) => !hasVerbFirst(name));
  return { functions: all.length, verbs: all.length - others.length, others };
}
