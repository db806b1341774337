import type { FileTree, Words } from "../../lang/tree/index.ts";

/** A text in quotes, and the name of the field of the tree that holds it: `because`, `address`, `value`. */
export interface WrittenWords {
  readonly role: string;
  readonly words: Words;
}

/**
 * Every text in quotes of a tree, whatever declaration it stands in: what a law forbids everywhere must not depend on
 * a list of places that the next construct is missing from. Without recursion: a page decides how deep its values are.
 */
export function wordsIn(tree: FileTree): WrittenWords[] {
  const found: WrittenWords[] = [];
  const waiting: { readonly role: string; readonly node: unknown }[] = [{ role: "items", node: tree.items }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { role, node } = next;
    if (typeof node !== "object" || node === null) continue;
    if (isWords(node)) found.push({ role, words: node });
    else if (Array.isArray(node)) for (const item of node) waiting.push({ role, node: item });
    else
      for (const [field, value] of Object.entries(node))
        if (field !== "span") waiting.push({ role: field, node: value });
  }
  return found;
}

function isWords(node: object): node is Words {
  return "value" in node && typeof node.value === "string" && "span" in node;
}
