import type { FileTree, LabelNode, Name, Reference, Words } from "../../lang/tree/index.ts";

/** A part of a tree, with the field of the declaration that holds it: `because`, `category`, `compartments`. */
export interface Held<Node = object> {
  readonly role: string;
  readonly node: Node;
}

const walked = new WeakMap<FileTree, readonly Held[]>();

/**
 * Every part of a tree, whatever declaration it stands in: what is asked of all of them must not depend on a list of
 * places that the next construct is missing from. Without recursion: a page decides how deep its values are.
 */
function partsOf(tree: FileTree): readonly Held[] {
  const known = walked.get(tree);
  if (known !== undefined) return known;
  const found: Held[] = [];
  const waiting: Held<unknown>[] = [{ role: "items", node: tree.items }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { role, node } = next;
    if (typeof node !== "object" || node === null) continue;
    if (!Array.isArray(node)) found.push({ role, node });
    for (const [field, value] of Object.entries(node)) {
      if (typeof value !== "object" || field === "span") continue;
      waiting.push({ role: Array.isArray(node) ? role : field, node: value });
    }
  }
  walked.set(tree, found);
  return found;
}

/** Texts in quotes, those of conditions and arguments too. */
export function wordsIn(tree: FileTree): Held<Words>[] {
  return partsOf(tree).filter((part): part is Held<Words> => isWords(part.node));
}

/** Names that stand alone, and the parts of those with dots. */
export function namesIn(tree: FileTree): Held<Name>[] {
  return partsOf(tree).filter((part): part is Held<Name> => isName(part.node));
}

/** Names with or without dots that refer to something. */
export function referencesIn(tree: FileTree): Held<Reference>[] {
  return partsOf(tree).filter((part): part is Held<Reference> => "parts" in part.node);
}

export function labelsIn(tree: FileTree): Held<LabelNode>[] {
  return partsOf(tree).filter((part): part is Held<LabelNode> => "level" in part.node && "compartments" in part.node);
}

function isWords(node: object): node is Words {
  return "value" in node && typeof node.value === "string" && "span" in node;
}

function isName(node: object): node is Name {
  return "text" in node && "span" in node && !("parts" in node);
}
