// Finds in the text of each file the files of the checkout that it imports: by import and export declarations,
// including types, and by import() of a literal path.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Top-level folders that contain code or files that code reads. */
export const TOP: readonly string[] = ["lang", "stdlib", "compiler", "targets", "engine", "examples", "golden"];

export interface Import {
  readonly from: string;
  readonly to: string;
}

const DECLARED = /^(?:import|export)\b[^;"'`=]*?\bfrom\s*["'](\.[^"']*)["']/gm;
const BARE = /^import\s*["'](\.[^"']*)["']/gm;
const DYNAMIC = /\bimport\(\s*["'](\.[^"']*)["']\s*\)/g;

/** Returns the paths of all source files relative to `checkout`, in code-unit order. */
export function findSources(checkout: string): readonly string[] {
  return globSync(`{${TOP.join(",")}}/**/*.{ts,mjs}`, { cwd: checkout })
    .filter((path) => !path.includes("node_modules/") && !path.endsWith(".d.ts"))
    .sort();
}

/** Returns the imports that a file declares; all paths are relative to the checkout. */
export function readImports(checkout: string, path: string): readonly Import[] {
  const text = readFileSync(join(checkout, path), "utf8");
  return [DECLARED, BARE, DYNAMIC]
    .flatMap((form) => [...text.matchAll(form)])
    .map(([, to = ""]) => ({ from: path, to: relative(checkout, join(checkout, dirname(path), to)) }));
}

/** Matches programs that make the examples of diagnostics. Tests load these programs. */
const EXAMPLE_PROGRAM = /\/(?:bad|good)[\w-]*\.ts$/;

/**
 * Returns a function that tests whether a file is a test, an example program, or a file that only such files import.
 */
export function testFinder(imports: readonly Import[]): (path: string) => boolean {
  const importersOf = Map.groupBy(imports, ({ to }) => to);
  const isTest = (path: string, asked: readonly string[]): boolean => {
    if (path.endsWith(".test.ts") || EXAMPLE_PROGRAM.test(path)) return true;
    const importers = importersOf.get(path) ?? [];
    // If files import each other in a cycle, such as a.ts and b.ts, none of them counts as a test.
    return (
      importers.length > 0 && importers.every(({ from }) => !asked.includes(from) && isTest(from, [...asked, path]))
    );
  };
  return (path) => isTest(path, []);
}
