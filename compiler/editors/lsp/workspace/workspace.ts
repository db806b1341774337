import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { MAX_FILE_BYTES, parse } from "../../../../lang/grammar/index.ts";
import { createSourceText } from "../../../../lang/text/index.ts";
import { compile as compilePages } from "../../../compile.ts";
import { createDiskHost } from "../../../phases/source/index.ts";
import type { Snapshot } from "../snapshot.ts";
import { type Compile, System } from "./system.ts";

// Stores the texts of open files, and tracks the root pages to which these files belong. A page that no open or nearby
// page uses is a root of its own, as for `capc check`.

/** Called with the results when all pages are compiled; `failed` are the roots that have no result because of a defect of capc. */
type Settled = (snapshots: readonly Snapshot[], failed: readonly string[]) => void;

/** Called with a defect of capc; the workspace continues with the other pages, and with the next change. */
type Defect = (error: unknown) => void;

export class Workspace {
  private readonly open = new Map<string, TextDocument>();
  private systems: readonly System[] = [];
  private changed = false;
  /** Files that may have changed since the start of the running compilation. */
  private readonly touched = new Set<string>();
  private settling: Promise<void> | undefined;
  private readonly settled: Settled;
  private readonly defect: Defect;
  private readonly compile: Compile;
  /** Defects that are already reported: several callers may await one compilation, but each defect is reported once. */
  private readonly defects = new WeakSet<object>();

  constructor(settled: Settled, defect: Defect, compile: Compile = compilePages) {
    this.settled = settled;
    this.defect = defect;
    this.compile = compile;
  }

  /** Registers an open file or its new text. `path` has its links resolved (`resolveRealPath`). */
  writeDocument(path: string, document: TextDocument): void {
    this.open.set(path, document);
    this.markTouched([path]);
  }

  /** Closes a document, so that the file on disk replaces its text. */
  closeDocument(path: string): void {
    this.open.delete(path);
    this.markTouched([path]);
  }

  /** Records that files may have changed, and starts a new compilation of the root pages that read them. */
  markTouched(paths: readonly string[]): void {
    for (const system of this.systems) if (paths.some((path) => system.isReading(path))) system.markStale();
    for (const path of paths) this.touched.add(path);
    this.changed = true;
    this.settling ??= this.settle();
  }

  getDocument(path: string): TextDocument | undefined {
    return this.open.get(path);
  }

  /**
   * Returns the current snapshots of the root pages that use a file. The root page whose folder is nearest to the file
   * comes first. Throws if a defect of capc affects all of them.
   */
  async takeSnapshots(path: string): Promise<readonly Snapshot[]> {
    while (this.settling !== undefined) await this.settling;
    const systems = this.systems.filter((system) => system.isReading(path));
    const made = await Promise.allSettled(sortNearestFirst(systems).map((system) => system.takeSnapshot()));
    const snapshots = made.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const [failed] = made.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    // If a defect of capc affects only some roots, the snapshots of the other roots are returned.
    if (snapshots.length === 0 && failed !== undefined) throw failed;
    return snapshots;
  }

  /** Returns the current snapshots of all root pages that open pages use. */
  async takeAllSnapshots(): Promise<readonly Snapshot[]> {
    while (this.settling !== undefined) await this.settling;
    const made = await Promise.allSettled(this.systems.map((system) => system.takeSnapshot()));
    return made.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }

  /** Returns the last compiled snapshot for a file, which may be outdated; `undefined` if there is none. */
  findLatest(path: string): Snapshot | undefined {
    return sortNearestFirst(this.systems.filter((system) => system.isReading(path)))[0]?.latest;
  }

  /** Compiles a root page with other texts in place of some files. */
  tryTexts(root: string, texts: ReadonlyMap<string, string>): Promise<Snapshot> {
    return new System(root, (path) => texts.get(path) ?? this.textOf(path), this.compile).takeSnapshot();
  }

  private async settle(): Promise<void> {
    while (this.changed) {
      this.changed = false;
      // Changes that arrive together are compiled together.
      await setImmediate();
      try {
        await this.compileAll();
      } catch (error) {
        this.defect(error);
      }
    }
    this.settling = undefined;
  }

  private async compileAll(): Promise<void> {
    const known = this.systems;
    const systems = [...known];
    this.touched.clear();
    for (const path of this.listPages()) {
      for (const system of systems) await this.trySnapshot(system);
      if (!systems.some((system) => system.isReading(path))) systems.push(await this.findSystem(path, systems));
    }
    // Which files each system reads is known only after the system is compiled.
    const made = await Promise.all(
      systems.map(async (system) => ({ system, snapshot: await this.trySnapshot(system) })),
    );
    const needed = made.filter(({ system }) => this.isNeeded(system, systems));
    this.systems = needed.map(({ system }) => system);
    if (this.changed) {
      // A file changed during the compilation. Then the systems (root pages with their files) that were already listed
      // were marked as stale. Systems that this compilation found were not yet listed, so they are marked here.
      const fresh = this.systems.filter((system) => !known.includes(system));
      for (const system of fresh) if ([...this.touched].some((path) => system.isReading(path))) system.markStale();
      return;
    }
    const failed = needed.filter(({ snapshot }) => snapshot === undefined).map(({ system }) => system.root);
    this.settled(
      needed.flatMap(({ snapshot }) => snapshot ?? []),
      failed,
    );
  }

  /**
   * Returns the snapshot, or `undefined` if the compiler throws. The function reports each such defect once per change.
   */
  private async trySnapshot(system: System): Promise<Snapshot | undefined> {
    try {
      return await system.takeSnapshot();
    } catch (error) {
      const known = error instanceof Error ? error : new Error(String(error));
      if (!this.defects.has(known)) this.defect(error);
      this.defects.add(known);
      return undefined;
    }
  }

  /** Returns true if the system reads an open file, and if no other system uses the root page of this system. */
  private isNeeded(system: System, systems: readonly System[]): boolean {
    const others = systems.filter((other) => other !== system);
    const isUsed = others.some((other) => other.isReading(system.root) && !system.isReading(other.root));
    return !isUsed && this.listPages().some((path) => system.isReading(path));
  }

  /** Returns the open pages; other open files, such as imported schemas, are left out. */
  private listPages(): string[] {
    return [...this.open.keys()].filter((path) => path.endsWith(".cap"));
  }

  /**
   * Returns a new system for a page that no existing system reads. Its root is the nearest `system.cap` that uses the page, otherwise the
   * page itself.
   */
  private async findSystem(path: string, systems: readonly System[]): Promise<System> {
    const own = new System(path, this.textOf, this.compile);
    if (await this.isRoot(path)) return own;
    for (const folder of listFoldersAbove(path)) {
      const root = join(folder, ROOT_NAME);
      if (root === path || systems.some((system) => system.root === root)) continue;
      if (this.open.get(root) === undefined && (await createDiskHost().realPath(root)) !== root) continue;
      const system = new System(root, this.textOf, this.compile);
      await this.trySnapshot(system);
      if (system.isReading(path)) return system;
    }
    return own;
  }

  /** Returns whether no other page can use the file: it declares a system, or it is too large to be a page. */
  private async isRoot(path: string): Promise<boolean> {
    const text = this.textOf(path) ?? "";
    if (text.length > MAX_FILE_BYTES) return true;
    const { tree } = await parse(createSourceText(path, text));
    return tree.items.some(({ kind }) => kind === "system");
  }

  private readonly textOf = (path: string): string | undefined => this.open.get(path)?.getText();
}

const ROOT_NAME = "system.cap";
/** Maximum number of folders above a page in which its root page is searched. */
const MOST_ABOVE = 8;

function listFoldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); folders.length < MOST_ABOVE; at = dirname(at)) {
    folders.push(at);
    if (at === dirname(at)) break;
  }
  return folders;
}

/**
 * Sorts systems by the depth of the folder of their root page, the deepest first, and in one folder by the name of the
 * page.
 */
function sortNearestFirst(systems: readonly System[]): System[] {
  const measureDepth = ({ root }: System): number => dirname(root).length;
  return [...systems].sort(
    (left, right) => measureDepth(right) - measureDepth(left) || (left.root < right.root ? -1 : 1),
  );
}

/** Returns a path with its links resolved; the file itself need not exist yet. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(resolveRealPath(folder), basename(path));
  }
}
