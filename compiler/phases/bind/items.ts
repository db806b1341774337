import { startOf } from "../../../lang/text/index.ts";
import type { FileTree, Item, Name, SettingsNode, SystemNode } from "../../../lang/tree/index.ts";
import type { Imports } from "../reflect/index.ts";
import type { Package } from "../source/index.ts";
import { noSystem } from "./codes.ts";
import { type Context, selectKind } from "./context.ts";

/** Declarations of a package, and the parts of the standard library that it depends on. */
export interface Items {
  /** Items of the pages of the package. */
  readonly page: readonly Item[];
  /** Items of the modules that some page uses, by module name, in code-unit order. */
  readonly used: ReadonlyMap<string, readonly Item[]>;
  /**
   * Items of all modules of the standard library. Some of these modules declare categories and levels for every page,
   * even if no page names the module.
   */
  readonly prelude: readonly Item[];
}

export function collectItems(loaded: Package): Items {
  const modules = new Map([...loaded.modules].map(([name, tree]) => [name, listItems(tree)]));
  return {
    page: loaded.pages.flatMap((tree) => listItems(tree)),
    used: new Map([...loaded.used].sort().map((name) => [name, modules.get(name) ?? []])),
    prelude: [...modules.values()].flat(),
  };
}

/** Returns the items of a file, including those inside its system. */
export function listItems(tree: FileTree): Item[] {
  return tree.items.flatMap((item) => (item.kind === "system" ? [item, ...item.items] : [item]));
}

export function findSettings(items: readonly Item[]): SettingsNode[] {
  return items.filter(
    (item): item is SettingsNode => item.kind === "storage" || item.kind === "network" || item.kind === "image",
  );
}

export function findSystems(items: readonly Item[]): SystemNode[] {
  return selectKind(items, "system").flatMap((system) => [system, ...findSystems(system.items)]);
}

/**
 * Returns the first system of the package, or `undefined` if it has none; reports a missing or a second one. If a file
 * is damaged, a missing system is not reported, because the damage may hide it.
 */
export function selectSystem(
  context: Context,
  loaded: Package,
  systems: readonly SystemNode[],
  pages: "damaged" | "whole",
): SystemNode | undefined {
  const [first, second] = systems;
  const at = second?.name.span ?? startOf(loaded.pages[0]?.source.path ?? "system.cap");
  if (second !== undefined || (first === undefined && pages === "whole")) {
    context.report(noSystem.at(at, { count: systems.length }));
  }
  return first;
}

/**
 * Returns the names of imports that could not be read. Lines that use names from such an import are not reported,
 * because these lines may be correct.
 */
export function findUnimported(items: readonly Item[], { interfaces, failed }: Imports): string[] {
  const known = new Set(interfaces.map(({ alias }) => alias));
  return collectAliases(items).flatMap(({ text }) => (failed.has(text) || !known.has(text) ? [text] : []));
}

/** Returns the page's names for its imports. */
export function collectAliases(items: readonly Item[]): Name[] {
  return items.flatMap((item) => (item.kind === "use" && "alias" in item ? [item.alias] : []));
}
