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

// Loads the interfaces that a page imports: a schema with its dependencies, or one list of tools. This module checks
// size and UTF-8; compiler/phases/reflect interprets the content.

/** An imported schema or list of tools, with all its dependencies in the package. */
export interface Import {
  readonly what: "capnp" | "mcp";
  /** The name by which the page refers to the interfaces of the import. */
  readonly alias: Name;
  /** The path of the import, as the page states it. */
  readonly at: Words;
  /** Path of the file, relative to the folder of the root page. */
  readonly path: string;
  /** Texts of the files by path, first the text of the imported file. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Schemas of the standard library that the import depends on, by the path in the importing schema:
   * `std/annotations.capnp`, `capnp/c++.capnp`.
   */
  readonly standard: ReadonlyMap<string, string>;
  /**
   * Folders to which absolute paths in the schemas are relative. Each is above the imported file, and has a file that
   * such a path names.
   */
  readonly roots: ReadonlySet<string>;
}

export type ImportNode = Extract<UseNode, { readonly what: "capnp" | "mcp" }>;

/** The functions of the loader that `loadImport` uses. */
export interface Door {
  readonly find: (path: string, from: string) => Promise<ResolvedPath>;
  readonly readFile: (real: string, limit: number) => Promise<FileRead>;
  readonly readStandard: (file: string) => Promise<FileRead>;
  /** Returns a path relative to the folder of the root page, without resolving links. */
  readonly relative: (path: string) => string;
  readonly report: (diagnostic: ReturnType<typeof unreadable.at>) => void;
}

/** Maximum bytes of all files of a schema import: schemas are short, and anything larger is a mistake or an attack. */
const MAX_IMPORT_BYTES = 1024 * 1024;
/** Maximum bytes of a list of tools, which is enough for a thousand tools. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_SCHEMAS = 64;
/**
 * Matches absolute paths of schemas in `stdlib/import`: capc's own schemas, and those of Cap'n Proto and of its
 * language bindings.
 */
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
  /** Imported path as the schema writes it; `from` is the importing file. */
  readonly path: string;
  readonly from: string;
  /**
   * Absolute path of the imported file; links are not resolved, because imports in a schema are relative to this path.
   */
  readonly wanted: string;
}

/**
 * Returns whether all dependencies of a schema were read. The Cap'n Proto compiler reports a missing dependency at the
 * import that names it.
 */
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
 * Returns the folders of the package that contain a file, directly or in subfolders, the nearest first. Absolute
 * imports in third-party schemas are relative to one of these folders.
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
  /** Absolute paths of folders. The first one that contains the file is used. */
  readonly folders: readonly string[];
  /** Path of the imported file as the schema writes it. */
  readonly path: string;
}

/**
 * Reads a schema from the first folder that has it. Returns a list with the path of the schema. The list is empty if
 * the schema was read before or is not found. Returns `undefined` if the schema is refused.
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
    // `loadFile` resolves a path relative to the folder of the file `from`, so `from` is a path in `folder`. No file
    // needs to exist at this path.
    const from = posix.join(folder, "schema.capnp");
    const found = isThere ? "read" : await loadFile(loading, { path: path.replace(/^\//, ""), from, wanted }, related);
    if (found === "missing") continue;
    if (found === "refused") return undefined;
    if (posix.isAbsolute(path)) roots.add(door.relative(folder));
    return isThere ? [] : [wanted];
  }
  return [];
}

/** Loads a standard schema with all of its imports. The Cap'n Proto compiler reports a missing schema. */
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
  // An invisible character anywhere in a schema, even in a comment, makes capc refuse the schema. A tool list is not
  // checked here: compiler/phases/reflect leaves out only its tools and arguments with such a character.
  const unseen = loading.isSchema ? findUnseen(createSourceText(name, text)) : undefined;
  if (unseen !== undefined) {
    door.report({ ...unseen, related: [{ span: at, message: "the page imports it here" }, ...related] });
    return "refused";
  }
  loading.left -= Buffer.byteLength(text);
  files.set(name, text);
  return "read";
}
