import { posix } from "node:path";
import { escapeInvisible, type Related } from "../../../lang/diagnostics/index.ts";
import { findUnseen } from "../../../lang/grammar/index.ts";
import { createSourceText, makeSpan, type Span } from "../../../lang/text/index.ts";
import type { Name, UseNode, Words } from "../../../lang/tree/index.ts";
import { importTooLarge, outsidePackage, unreadable } from "./codes.ts";
import type { FileRead } from "./host.ts";
import type { ResolvedPath } from "./package-path.ts";
import { findImports } from "./schema-imports.ts";
import { decodeUtf8 } from "./utf8.ts";

// Loads the interfaces that a page imports: a schema with its dependencies, or one list of tools. It checks size and UTF-8;
// compiler/phases/reflect interprets the content.

/** A file of interfaces, with all its dependencies in the package. */
export interface Import {
  readonly what: "capnp" | "mcp";
  /** The name by which the page refers to its interfaces. */
  readonly alias: Name;
  /** The text on the page that names it. */
  readonly at: Words;
  /** Relative to the folder of the root page. */
  readonly path: string;
  /** Texts by path, the import's own first. */
  readonly files: ReadonlyMap<string, string>;
  /** Schemas of the standard library among its dependencies, by the path that names them: `std/annotations.capnp`, `capnp/c++.capnp`. */
  readonly standard: ReadonlyMap<string, string>;
  /** Folders that absolute paths of its schemas are relative to: those above it in which such a path was found. */
  readonly roots: ReadonlySet<string>;
}

export type ImportNode = Extract<UseNode, { readonly what: "capnp" | "mcp" }>;

/** Part of the loader that an import uses. */
export interface Door {
  readonly find: (path: string, from: string) => Promise<ResolvedPath>;
  readonly readFile: (real: string, limit: number) => Promise<FileRead>;
  readonly readStandard: (file: string) => Promise<FileRead>;
  /** Returns a path relative to the folder of the root page, without resolving links. */
  readonly relative: (path: string) => string;
  readonly report: (diagnostic: ReturnType<typeof unreadable.at>) => void;
}

/** Most bytes of a whole import: schemas are short, and anything larger is a mistake or an attack. */
const MAX_IMPORT_BYTES = 1024 * 1024;
/** Large enough for a list of a thousand tools. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_SCHEMAS = 64;
/** Absolute paths that schemas import: our schemas, and those that come with Cap'n Proto and its languages. They are in `stdlib/import`. */
const STANDARD = /^\/(?:std\/([\w-]+\.capnp)|(capnp\/(?:compat\/)?[\w+-]+\.capnp|(?:go|rust)\.capnp))$/;

/** Returns the import with all its files, or `undefined` if one of them cannot be read, which is reported on the page. */
export async function loadImport(door: Door, use: ImportNode, page: string): Promise<Import | undefined> {
  const { what, alias, path: at } = use;
  const files = new Map<string, string>();
  const standard = new Map<string, string>();
  const roots = new Set<string>();
  const isSchema = what === "capnp";
  const left = isSchema ? MAX_IMPORT_BYTES : MAX_LIST_BYTES;
  const loading = { door, at: at.span, files, standard, roots, isSchema, left };
  const wanted = posix.join(posix.dirname(page), at.value);
  const found = await loadFile(loading, { path: at.value, from: page, wanted }, []);
  const whole = found === "read" && (what === "mcp" || (await loadSchemas(loading, wanted)));
  const path = door.relative(wanted);
  return whole ? { what, alias, at, path, files, standard, roots } : undefined;
}

interface Loading {
  readonly door: Door;
  readonly at: Span;
  readonly files: Map<string, string>;
  readonly standard: Map<string, string>;
  readonly roots: Set<string>;
  readonly isSchema: boolean;
  left: number;
}

interface Wanted {
  /** Path as written, and the file that contains it. */
  readonly path: string;
  readonly from: string;
  /** Absolute, without resolving links: a schema's own imports are relative to it. */
  readonly wanted: string;
}

/** Returns whether all dependencies of a schema were read. The Cap'n Proto compiler reports a missing one where it is named. */
async function loadSchemas(loading: Loading, root: string): Promise<boolean> {
  const { door, files, standard } = loading;
  for (const queue = [root]; queue.length > 0; ) {
    const from = queue.shift() ?? root;
    const name = door.relative(from);
    const text = files.get(name) ?? "";
    for (const { path, start, end } of findImports(text)) {
      const source = createSourceText(name, text);
      const related = [{ span: makeSpan(source, start, end), message: "it is imported here" }];
      if (STANDARD.test(path)) {
        await loadStandard(door, standard, path);
        continue;
      }
      const folders = posix.isAbsolute(path) ? listFoldersAbove(door, root) : [posix.dirname(from)];
      const read = await loadFirst(loading, { folders, path }, related);
      if (read === undefined) return false;
      queue.push(...read);
    }
  }
  return true;
}

/**
 * Returns the folders of the package that contain a file, the nearest first. Schemas of others name each other relative to one of them.
 */
function listFoldersAbove({ relative }: Door, file: string): readonly string[] {
  const folders: string[] = [];
  for (let at = posix.dirname(file); !relative(at).startsWith(".."); at = posix.dirname(at)) {
    folders.push(at);
    if (at === "/") break;
  }
  return folders;
}

interface Sought {
  /** Absolute; the first folder that has the file is used. */
  readonly folders: readonly string[];
  /** Path as the schema writes it. */
  readonly path: string;
}

/**
 * Reads a schema from the first folder that has it. Returns its path; empty if it was read before or is not found; `undefined` if it is
 * refused.
 */
async function loadFirst(
  loading: Loading,
  { folders, path }: Sought,
  related: readonly Related[],
): Promise<readonly string[] | undefined> {
  const { door, files, roots } = loading;
  for (const folder of folders) {
    const wanted = posix.join(folder, path);
    const isThere = files.has(door.relative(wanted));
    // A path is relative to the folder of the file that names it, so use a file in this folder.
    const from = posix.join(folder, "schema.capnp");
    const found = isThere ? "read" : await loadFile(loading, { path: path.replace(/^\//, ""), from, wanted }, related);
    if (found === "missing") continue;
    if (found === "refused") return undefined;
    if (posix.isAbsolute(path)) roots.add(door.relative(folder));
    return isThere ? [] : [wanted];
  }
  return [];
}

/** Loads a standard schema with all of its imports. The Cap'n Proto compiler reports a missing one. */
async function loadStandard(door: Door, standard: Map<string, string>, path: string): Promise<void> {
  const [, ours, theirs] = STANDARD.exec(path) ?? [];
  const file = ours ?? theirs;
  if (file === undefined || standard.has(path.slice(1))) return;
  const read = await door.readStandard(`import/${file}`);
  if (!read.ok) return;
  const text = new TextDecoder().decode(read.value);
  standard.set(path.slice(1), text);
  for (const more of findImports(text))
    await loadStandard(door, standard, posix.resolve(posix.dirname(path), more.path));
}

async function loadFile(
  loading: Loading,
  { path, from, wanted }: Wanted,
  related: readonly Related[],
): Promise<"read" | "missing" | "refused"> {
  const { door, at, files } = loading;
  const found = await door.find(path, from);
  if ("wrong" in found) {
    if (found.wrong === "outside") door.report(outsidePackage.at(at, { path: escapeInvisible(path) }, { related }));
    else if (related.length === 0) door.report(unreadable.at(at, { path, reason: "there is no such file" }));
    return found.wrong === "missing" ? "missing" : "refused";
  }
  if (files.size >= MAX_SCHEMAS) {
    door.report(importTooLarge.at(at, { what: `more than ${MAX_SCHEMAS} files` }, { related }));
    return "refused";
  }
  const read = await door.readFile(found.real, loading.left);
  const text = read.ok ? decodeUtf8(read.value) : undefined;
  if (text === undefined) {
    const reason = read.ok ? "it is not UTF-8 text" : read.reason;
    door.report(unreadable.at(at, { path, reason }, { related }));
    return "refused";
  }
  const name = door.relative(wanted);
  // A list of tools is JSON, which has no comments: invisible characters in its descriptions are refused tool by tool.
  const unseen = loading.isSchema ? findUnseen(createSourceText(name, text)) : undefined;
  if (unseen !== undefined) {
    door.report({ ...unseen, related: [{ span: at, message: "the page imports it here" }, ...related] });
    return "refused";
  }
  loading.left -= Buffer.byteLength(text);
  files.set(name, text);
  return "read";
}
