// Compares imports with cap.lock, and writes a new lock for a person who has reviewed them.

import { posix } from "node:path";
import type { Result } from "../../../engine/lib/result/result.ts";
import { type Diagnostic, isError } from "../../../lang/diagnostics/index.ts";
import { collectUses, type Host, type Import, load, type Package } from "../source/index.ts";
import { importChanged, importNotPinned, lockUnreadable } from "./codes.ts";
import type { Imports } from "./imported.ts";
import { reflectImports } from "./imports.ts";
import { isSame, lockText, type Pin, pinOf, readLock } from "./lock.ts";
import { describeChanges } from "./outline.ts";
import { createKeptReflections, type KeptReflections } from "./reflection-cache.ts";

/** Returns the interfaces of a package's imports. An import that does not match cap.lock is reported. */
export async function checkPinnedImports(
  page: Package,
  kept: KeptReflections = createKeptReflections(),
): Promise<Imports> {
  const reflected = await reflectImports(page.imports, kept);
  return { ...reflected, diagnostics: [...reflected.diagnostics, ...reportUnpinned(page, reflected)] };
}

function reportUnpinned({ imports, lock, pages }: Package, { interfaces, failed }: Imports): readonly Diagnostic[] {
  const page = pages[0]?.source.path ?? "system.cap";
  const pins = readPins(lock);
  const [first] = imports;
  if (first === undefined) return [];
  if (!pins.ok) return [lockUnreadable.at(first.at.span, { reason: pins.reason, page })];
  return imports
    .filter(({ alias }) => !failed.has(alias.text))
    .flatMap((one) => {
      const { path, at } = one;
      const [pin, now] = [pins.value.get(path), pinOf(one, interfaces)];
      if (pin === undefined) return [importNotPinned.at(at.span, { path, page })];
      if (isSame(pin, now)) return [];
      return [importChanged.at(at.span, { path, changes: truncateChanges(describePinChanges(pin, now)), page })];
    });
}

function readPins({ text, unreadable }: Package["lock"]): Result<ReadonlyMap<string, Pin>> {
  if (unreadable !== undefined) return { ok: false, reason: unreadable };
  return text === undefined ? { ok: true, value: new Map() } : readLock(text);
}

function describePinChanges(pin: Pin, now: Pin): readonly string[] {
  const changes = describeChanges(pin.interfaces, now.interfaces);
  return changes.length > 0 ? changes : ["nothing that a tool is made of, but its text is another one"];
}

/** Shortens the list of changes to fit into one message. `updateLock` returns all changes. */
function truncateChanges(changes: readonly string[]): readonly string[] {
  const few = 8;
  return changes.length <= few ? changes : [...changes.slice(0, few), `${changes.length - few} more`];
}

/** Update of cap.lock. */
interface LockUpdate {
  /** Absolute path of cap.lock. */
  readonly path: string;
  /** New text of cap.lock; absent if an import cannot be read, or if the page imports nothing. */
  readonly text?: string;
  /**
   * Changes for a person to read, one line each: `ledger.capnp: Ledger.refund added`. The list is empty if nothing
   * changes.
   */
  readonly changes: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the page at `path` and its imports, and returns the update of cap.lock without writing it. `diagnostics` also
 * has other errors of the page, which do not prevent pinning. If a page cannot be read, no pin is removed, because this
 * page may need it. `others` are the absolute paths of other pages in the same folder; their pins stay in the shared
 * lock file.
 */
export async function updateLock(host: Host, path: string, others: readonly string[] = []): Promise<LockUpdate> {
  const { package: page, diagnostics: unread } = await load(host, path);
  const reflected = await reflectImports(page.imports, createKeptReflections());
  const diagnostics = [...unread, ...reflected.diagnostics];
  const { lock, imports } = page;
  const at = posix.resolve(lock.path);
  const missing = countImports(page) > imports.length || reflected.failed.size > 0;
  if (imports.length === 0 || missing) return { path: at, changes: [], diagnostics };
  const before = readPins(lock);
  const known: ReadonlyMap<string, Pin> = before.ok ? before.value : new Map();
  const elsewhere = unread.some(isError) ? "unknown" : await collectImportedPaths(host, others);
  const kept = [...known].filter(([pinned]) => elsewhere === "unknown" || elsewhere.has(pinned));
  const pins = new Map([...kept, ...imports.map((one) => [one.path, pinOf(one, reflected.interfaces)] as const)]);
  return { path: at, text: lockText(pins), changes: pinChanges(known, pins, imports), diagnostics };
}

/** Returns the paths that pages import, or `unknown` if one of these pages cannot be read completely. */
async function collectImportedPaths(host: Host, paths: readonly string[]): Promise<ReadonlySet<string> | "unknown"> {
  const found = new Set<string>();
  for (const path of paths) {
    const { package: page, diagnostics } = await load(host, path);
    if (diagnostics.some(isError) || countImports(page) > page.imports.length) return "unknown";
    for (const one of page.imports) found.add(one.path);
  }
  return found;
}

/** Returns the number of distinct imports that the pages name, whether or not their files exist. */
function countImports({ pages }: Package): number {
  const uses = pages.flatMap(({ items }) => collectUses(items));
  const named = uses.flatMap((use) => ("alias" in use ? [use.alias.text] : []));
  return new Set(named).size;
}

function pinChanges(
  before: ReadonlyMap<string, Pin>,
  after: ReadonlyMap<string, Pin>,
  imports: readonly Import[],
): readonly string[] {
  const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `${path}: not imported any more`);
  const changed = [...new Set(imports.map(({ path }) => path))].flatMap((path) => {
    const [pin, now] = [before.get(path), after.get(path)];
    if (now === undefined || (pin !== undefined && isSame(pin, now))) return [];
    const changes = describePinChanges(pin ?? { ...now, interfaces: {} }, now);
    return changes.map((change) => `${path}: ${change}`);
  });
  return [...changed, ...gone.sort()];
}
