// Finds in the text of each Rust module the other modules that it uses: by `mod`, by `use`, and by paths that begin
// with `crate`, `super` or `self`. Tests are left out. A call of a method contains no path, so calls between the
// methods of one type are not found.

import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCycles } from "./cycles.ts";
import { type Import, TOP } from "./imports.ts";

/** Matches modules that a build writes from schemas. Such modules use no other module of the checkout. */
const GENERATED = /_capnp$/;
const ROOTS: ReadonlySet<string> = new Set(["lib", "main", "mod"]);

/** Returns the paths of all Rust sources except tests, relative to `checkout`, in code-unit order. */
export function findRustSources(checkout: string): readonly string[] {
  return globSync(`{${TOP.join(",")}}/**/*.rs`, { cwd: checkout })
    .filter((path) => !/\/(?:target|node_modules)\//.test(path) && !/\/tests?(?:\.rs$|\/)/.test(path))
    .sort();
}

/**
 * Returns an edge from each module of `paths` to each other module that it names. The name of a module is the path of
 * its file; the name of a crate's root is the path of its folder.
 */
export function readRustModules(checkout: string, paths: readonly string[]): readonly Import[] {
  return findModuleEdges(new Map(paths.map((path) => [path, readFileSync(join(checkout, path), "utf8")])));
}

/** Returns an edge from each module to each other module that it names. `sources` maps paths to texts. */
export function findModuleEdges(sources: ReadonlyMap<string, string>): readonly Import[] {
  const modules = new Set([...sources.keys()].map(nameModule));
  return [...sources].flatMap(([path, text]) => {
    const from = nameModule(path);
    const root = findCrateRoot(path, modules, sources);
    const named = readPaths(text).map((words) => resolvePath(words, from, root, modules));
    return [...new Set(named)].filter((to) => to !== undefined && to !== from).map((to) => ({ from, to: to ?? "" }));
  });
}

/**
 * Returns the edges that are part of a cycle of modules, or of a cycle of folders at any depth, and the edges that lead
 * from one such cycle to another.
 */
export function findModuleCycles(edges: readonly Import[]): readonly Import[] {
  const deepest = Math.max(0, ...edges.map(({ from }) => from.split("/").length));
  const found = Array.from({ length: deepest }, (_, index) => findCycles(edges, index + 1)).flat();
  return [...new Map(found.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()];
}

function nameModule(path: string): string {
  const name = path.replace(/\.rs$/, "");
  const last = name.slice(name.lastIndexOf("/") + 1);
  return ROOTS.has(last) ? dirname(path) : name;
}

/** Returns the nearest of the folders above a file that contain a crate's root; if none does, the file's own module. */
function findCrateRoot(path: string, modules: ReadonlySet<string>, sources: ReadonlyMap<string, string>): string {
  let folder = dirname(path);
  while (folder !== ".") {
    if (sources.has(`${folder}/lib.rs`) || sources.has(`${folder}/main.rs`)) return folder;
    folder = dirname(folder);
  }
  return modules.has(nameModule(path)) ? nameModule(path) : folder;
}

/** Returns the deepest module that a path names, or `undefined` if the path names nothing in the sources. */
function resolvePath(
  [first = "", ...rest]: readonly string[],
  from: string,
  root: string,
  modules: ReadonlySet<string>,
): string | undefined {
  let at = first === "crate" ? root : first === "super" ? dirname(from) : from;
  const words = ["crate", "super", "self"].includes(first) ? [...rest] : [first, ...rest];
  while (words[0] === "super") {
    at = dirname(at);
    words.shift();
  }
  if (GENERATED.test(words[0] ?? "")) return undefined;
  const isInside = first === "crate" || first === "super" || first === "self" || modules.has(`${at}/${words[0]}`);
  for (const word of words) {
    if (!modules.has(`${at}/${word}`)) break;
    at = `${at}/${word}`;
  }
  return isInside && modules.has(at) ? at : undefined;
}

const USE = /^\s*(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/gm;
const MODULE = /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm;
const INLINE = /\b(?:crate|super|self)(?:::\w+)+/g;

/** Returns the paths in a source as lists of words. Paths in its tests are left out. */
function readPaths(source: string): readonly (readonly string[])[] {
  const text = removeTests(removeText(source));
  const used = [...text.matchAll(USE)].flatMap(([, tree = ""]) => expandTree(tree.replace(/\s+/g, " ")));
  const declared = [...text.matchAll(MODULE)].map(([, name = ""]) => ["self", name]);
  const inline = [...text.replace(USE, "").matchAll(INLINE)].map(([path]) => path.split("::"));
  return [...used, ...declared, ...inline];
}

/** Returns the paths of a tree such as `a::{b, c::{d, e as f}}`. */
function expandTree(tree: string): readonly (readonly string[])[] {
  const open = tree.indexOf("{");
  if (open < 0) {
    const words =
      tree
        .trim()
        .split(/\s+as\s+/)[0]
        ?.split("::") ?? [];
    return [words.filter((word) => (word !== "" && word !== "self") || word === words[0])];
  }
  const before = tree
    .slice(0, open)
    .split("::")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return splitList(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((part) =>
    expandTree(part).map((words) => [...before, ...words.filter((word) => word !== "self")]),
  );
}

/** Returns the parts of a comma-separated list; commas within braces do not separate. */
function splitList(list: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of list) {
    depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
    if (sign === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.filter((part) => part.trim() !== "");
}

/**
 * Replaces each comment, string literal and character literal by `""`, because braces and paths in them have no
 * meaning.
 */
function removeText(source: string): string {
  return source.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g,
    '""',
  );
}

/** Removes each item that exists for tests only. */
function removeTests(text: string): string {
  const start = text.indexOf("#[cfg(test)]");
  if (start < 0) return text;
  const after = text.slice(start);
  const end = after.search(/[;{]/);
  if (end < 0) return text.slice(0, start);
  return text.slice(0, start) + removeTests(after.slice(after[end] === ";" ? end + 1 : findClose(after, end)));
}

/** Returns the position after the brace that closes the brace at `open`. */
function findClose(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
