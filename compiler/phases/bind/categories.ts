import type { CategoryNode } from "../../../lang/tree/index.ts";
import { bindChains } from "./chains.ts";
import { standardOnly } from "./codes.ts";
import { type Context, declare, resolve } from "./context.ts";
import type { Category } from "./model/index.ts";

/**
 * Returns all categories by name. A category of a page has a parent; categories of the standard library are the roots.
 */
export function bindCategories(
  context: Context,
  roots: readonly CategoryNode[],
  page: readonly CategoryNode[],
): Map<string, Category> {
  const nodes = new Map<string, CategoryNode>();
  for (const node of [...roots, ...page])
    declare(context, { names: nodes, what: "category", name: node.name, declared: node });
  const parents = new Map<CategoryNode, CategoryNode | undefined>();
  for (const node of nodes.values()) {
    parents.set(node, node.parent && resolve(context, { names: nodes, what: "category", name: node.parent }));
  }
  for (const node of page) {
    if (node.parent === undefined) {
      context.report(standardOnly.at(node.name.span, { what: "a category without a parent" }));
    }
  }
  const bound = bindChains<CategoryNode, Category>(context, {
    what: "categories",
    nodes: [...nodes.values()],
    baseOf: (node) => parents.get(node),
    build: ({ name, doc }, parent) => ({ name: name.text, parent, doc, span: name.span }),
  });
  return new Map([...bound.values()].map((category) => [category.name, category]));
}

/** Returns the category itself, then its ancestors up to the root. */
export function listLineage(category: Category): Category[] {
  const lineage: Category[] = [];
  for (let at: Category | undefined = category; at !== undefined; at = at.parent) lineage.push(at);
  return lineage;
}

export function isWithin(category: Category, ancestor: string): boolean {
  for (let at: Category | undefined = category; at !== undefined; at = at.parent) if (at.name === ancestor) return true;
  return false;
}
