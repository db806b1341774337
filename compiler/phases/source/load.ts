import { posix } from "node:path";
import { accept, type Result } from "../../../engine/lib/result/result.ts";
import { findLibraryProgram, LIBRARY_SERVICES } from "../../../engine/lib/roles/index.ts";
import { type Diagnostic, findNearest, isError } from "../../../lang/diagnostics/index.ts";
import { decodeSource, MAX_FILE_BYTES, parse } from "../../../lang/grammar/index.ts";
import { joinSpans, type Span, startOf } from "../../../lang/text/index.ts";
import type { FileTree, Item, UseNode, Words } from "../../../lang/tree/index.ts";
import { type Asset, collectAssets, collectWeights, MAX_ASSET_BYTES, type NamedAsset } from "./assets.ts";
import { importCycle, outsidePackage, tooManyFiles, unknownModule, unreadable } from "./codes.ts";
import type { Host } from "./host.ts";
import { type Door, type Import, type ImportNode, loadImport } from "./imports.ts";
import { type LockFile, readLockFile } from "./lock-file.ts";
import { Memo } from "./memo.ts";
import { type ResolvedPath, resolvePackageFile } from "./package-path.ts";
import { isStandard, PRELUDE, STANDARD_FOLDER, STANDARD_MODULES } from "./standard.ts";

// Loads the root page, the pages that it uses and the files that they name, each once. After links are resolved, all
// files must be in the folder of the root page or below. The loader does not interpret what it reads.

const MAX_FILES = 256;

/** Files that a page consists of. */
export interface Package {
  /** The root page first, then the pages that it uses, in the order in which they occur. */
  readonly pages: readonly FileTree[];
  /** Modules of the standard library by name, including the prelude. */
  readonly modules: ReadonlyMap<string, FileTree>;
  /** Names of the modules that some page of the package uses. */
  readonly used: ReadonlySet<string>;
  /** Files that a page names, by the text on the page. An unreadable file was reported and is absent. */
  readonly assets: ReadonlyMap<Words, Asset>;
  /**
   * Files of weights, by the text on the page that names them; their content is not read here. Missing files of weights
   * are absent.
   */
  readonly weights: ReadonlyMap<Words, PackageFile>;
  /** Imports of schemas and lists of tools. An import under two names occurs twice; unreadable imports are absent. */
  readonly imports: readonly Import[];
  /** Programs of the standard library that services of the pages need, by the name of their interface. */
  readonly programs: ReadonlyMap<string, Asset>;
  /** cap.lock beside the root page. */
  readonly lock: LockFile;
  /**
   * Whether a used page could not be read. Names that it declares are then unknown, although the pages that use them
   * may be correct.
   */
  readonly incomplete: boolean;
}

/** A file of the package that is too large to keep in memory. */
export interface PackageFile {
  /** Path relative to the folder of the root page. */
  readonly path: string;
  readonly real: string;
}

interface Loaded {
  readonly package: Package;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A parsed page or module. `tree` is absent if the bytes cannot be parsed at all, for example if they are not UTF-8.
 */
export interface ReadPage {
  readonly tree?: FileTree;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads a package. `read` is a cache of parsed pages by their path. */
export async function load(host: Host, path: string, read: Memo<ReadPage> = new Memo()): Promise<Loaded> {
  const loading = new Loading(host, read);
  await loading.loadRoot(path);
  return loading.getLoaded();
}

class Loading {
  private readonly host: Host;
  private readonly read: Memo<ReadPage>;
  private readonly pages: FileTree[] = [];
  private readonly modules = new Map<string, FileTree>();
  private readonly used = new Set<string>();
  private readonly assets = new Map<Words, Asset>();
  /** Files of assets by their real path. */
  private readonly assetFiles = new Map<string, Result<Asset>>();
  private readonly weights = new Map<Words, PackageFile>();
  private readonly imports: Import[] = [];
  private readonly programs = new Map<string, Asset>();
  private lock: LockFile = { path: "/cap.lock" };
  private readonly diagnostics: Diagnostic[] = [];
  /** Positions in pages at which findings of the parser begin: a text that contains one is malformed. */
  private readonly malformed = new Set<string>();
  private readonly seen = new Set<string>();
  private incomplete = false;
  private folder = "/";

  constructor(host: Host, read: Memo<ReadPage>) {
    this.host = host;
    this.read = read;
  }

  getLoaded(): Loaded {
    const { pages, modules, used, assets, weights, imports, programs, lock, incomplete, diagnostics } = this;
    return { package: { pages, modules, used, assets, weights, imports, programs, lock, incomplete }, diagnostics };
  }

  async loadRoot(path: string): Promise<void> {
    for (const module of PRELUDE) await this.loadModule(module);
    const real = await this.host.realPath(path);
    const name = posix.basename(path);
    if (real === undefined) return this.reportUnreadable(startOf(name), path, "there is no such file");
    this.folder = posix.dirname(real);
    await this.loadPage(real, startOf(name), []);
    this.lock = await readLockFile(this.host, this.folder);
    for (const face of Object.keys(LIBRARY_SERVICES)) await this.loadProgram(face);
  }

  private async loadPage(real: string, from: Span, stack: readonly string[]): Promise<void> {
    if (stack.includes(real)) {
      const cycle = [...stack.slice(stack.indexOf(real)), real].map((page) => this.relative(page));
      this.diagnostics.push(importCycle.at(from, { cycle }));
      return;
    }
    if (this.seen.has(real)) return;
    if (this.seen.size >= MAX_FILES) {
      this.diagnostics.push(tooManyFiles.at(from, { limit: MAX_FILES }));
      return;
    }
    this.seen.add(real);
    const read = await this.host.readFile(real, MAX_FILE_BYTES);
    if (!read.ok) return this.reportUnreadable(from, this.relative(real), read.reason);
    const tree = await this.readTree(this.getPageName(real), read.value);
    if (tree === undefined) return;
    this.pages.push(tree);
    for (const use of collectUses(tree.items)) {
      const before = this.diagnostics.length;
      const pages = this.pages.length;
      await this.use(use, real, [...stack, real]);
      const isWrong = this.diagnostics.length > before || this.isMalformed(use.span);
      if (isWrong && this.pages.length === pages) this.incomplete = true;
    }
    for (const asset of collectAssets(tree.items)) await this.loadAsset(asset, real);
    for (const path of collectWeights(tree.items)) await this.loadModel(path, real);
  }

  private async readTree(path: string, bytes: Uint8Array): Promise<FileTree | undefined> {
    const { tree, diagnostics } = await this.read.remember(path, bytes, () => readPage(path, bytes));
    // The diagnostics are added one by one: as arguments of one call, the diagnostics of a hostile page would overflow
    // the stack.
    for (const diagnostic of diagnostics) {
      this.diagnostics.push(diagnostic);
      this.malformed.add(namePlace(diagnostic.span, diagnostic.span.start));
    }
    if (tree?.items.length === 0 && diagnostics.some(isError)) this.incomplete = true;
    return tree;
  }

  private async use(use: UseNode, page: string, stack: readonly string[]): Promise<void> {
    if (use.what === "module") return this.useModule(use);
    if (use.what !== "file") return this.import(use, page);
    const real = await this.resolveWithin(use.path, page);
    if (real !== undefined) await this.loadPage(real, use.path.span, stack);
  }

  /** Loads an import. If two pages import the same file under the same name, this is one import. */
  private async import(use: ImportNode, page: string): Promise<void> {
    const loaded = await loadImport(this.createDoor(), use, page);
    if (loaded === undefined) return;
    const { path, what, alias } = loaded;
    const known = this.imports.some((one) => one.path === path && one.what === what && one.alias.text === alias.text);
    if (!known) this.imports.push(loaded);
  }

  private createDoor(): Door {
    return {
      find: (path, from) => this.find(path, from),
      readFile: (real, limit) => this.host.readFile(real, limit),
      readStandard: (file) => this.host.readStandard(file),
      relative: (path) => this.relative(path),
      report: (diagnostic) => this.reportFile(diagnostic),
    };
  }

  private async useModule(use: UseNode & { what: "module" }): Promise<void> {
    const { root, module } = use;
    const known = STANDARD_MODULES.map((name) => `std.${name}`);
    if (root.text === "std" && known.includes(`std.${module.text}`)) {
      this.used.add(module.text);
      return this.loadModule(module.text);
    }
    const name = `${root.text}.${module.text}`;
    this.diagnostics.push(
      unknownModule.at(joinSpans(root.span, module.span), { name, near: findNearest(name, known), known }),
    );
  }

  private async loadModule(name: string): Promise<void> {
    if (this.modules.has(name)) return;
    const path = `${STANDARD_FOLDER}${name}.cap`;
    const read = await this.host.readStandard(`${name}.cap`);
    if (!read.ok) return this.reportUnreadable(startOf(path), path, read.reason);
    const tree = await this.readTree(path, read.value);
    if (tree !== undefined) this.modules.set(name, tree);
  }

  /** Loads a program of the standard library if a page needs it. Most pages need no program of the library. */
  private async loadProgram(face: string): Promise<void> {
    const program = findLibraryProgram(face);
    if (program === undefined || !this.pages.some(({ items }) => hasService(items, face))) return;
    const path = `services/${program}`;
    const read = await this.host.readStandard(path);
    if (read.ok) this.programs.set(face, { path: `std/${path}`, bytes: read.value });
    else this.reportUnreadable(startOf(`std/${path}`), path, read.reason);
  }

  private async loadAsset({ path, remedy }: NamedAsset, page: string): Promise<void> {
    const real = await this.resolveWithin(path, page, remedy);
    if (real === undefined) return;
    // Each file is read once, because a page may name one file thousands of times.
    const read = this.assetFiles.get(real) ?? (await this.readAsset(real));
    this.assetFiles.set(real, read);
    if (read.ok) this.assets.set(path, read.value);
    else this.reportUnreadable(path.span, path.value, read.reason);
  }

  private async readAsset(real: string): Promise<Result<Asset>> {
    const read = await this.host.readFile(real, MAX_ASSET_BYTES);
    return read.ok ? accept({ path: this.relative(real), bytes: read.value }) : read;
  }

  /**
   * Finds the file of weights. A missing file is not reported here: weights are large and seldom in version control,
   * and a page can be checked without them.
   */
  private async loadModel(path: Words, page: string): Promise<void> {
    const found = await this.find(path.value, page);
    if ("real" in found) this.weights.set(path, { path: this.relative(found.real), real: found.real });
    else if (found.wrong === "outside") this.reportFile(outsidePackage.at(path.span, { path: path.value }));
  }

  /** Returns the real path of a file that a page names; reports it and returns `undefined` if it is outside the package or missing. */
  private async resolveWithin(path: Words, page: string, remedy?: string): Promise<string | undefined> {
    const { value, span } = path;
    const found = await this.find(value, page);
    if ("real" in found) return found.real;
    if (found.wrong === "missing") this.reportUnreadable(span, value, "there is no such file", remedy);
    else this.reportFile(outsidePackage.at(span, { path: value }));
    return undefined;
  }

  private find(value: string, page: string): Promise<ResolvedPath> {
    return resolvePackageFile(this.host, this.folder, value, page);
  }

  private relative(real: string): string {
    return posix.relative(this.folder, real);
  }

  /**
   * Returns the name of a page. A page in a folder `std` of the package gets a name that shows that it is not part of
   * the standard library. So its assertions are proved as those of the page.
   */
  private getPageName(real: string): string {
    const path = this.relative(real);
    return isStandard(path) ? `./${path}` : path;
  }

  private reportUnreadable(at: Span, path: string, reason: string, remedy?: string): void {
    this.reportFile(unreadable.at(at, { path, reason, remedy }));
  }

  /**
   * Reports a finding about a file, unless the page names the file by a malformed text. The parser has already reported
   * such a text, and the loader can only guess the path that the author meant.
   */
  private reportFile(diagnostic: Diagnostic): void {
    if (!this.isMalformed(diagnostic.span)) this.diagnostics.push(diagnostic);
  }

  private isMalformed(at: Span): boolean {
    for (let place = at.start; place < at.end; place++) if (this.malformed.has(namePlace(at, place))) return true;
    return false;
  }
}

function namePlace({ source }: Span, at: number): string {
  return `${source.path}:${at}`;
}

async function readPage(path: string, bytes: Uint8Array): Promise<ReadPage> {
  const bounded = decodeSource(path, bytes);
  return bounded.ok ? parse(bounded.source) : { diagnostics: [bounded.diagnostic] };
}

function hasService(items: readonly Item[], face: string): boolean {
  return items.some((item) => {
    if (item.kind === "system") return hasService(item.items, face);
    return item.kind === "service" && item.interface.parts.at(-1)?.text === face;
  });
}

/** Returns the `use` items of a page, including those inside its system. */
export function collectUses(items: readonly Item[]): UseNode[] {
  return items.flatMap((item) =>
    item.kind === "use" ? [item] : item.kind === "system" ? collectUses(item.items) : [],
  );
}
