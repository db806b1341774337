import type { FileTree, LabelNode, Name, Reference, Words } from "../../../lang/tree/index.ts";

/** A part of a tree, and the name of the field that contains it: `because`, `category`, `compartments`. */
export interface NodeInField<Node> {
  readonly role: string;
  readonly node: Node;
}

/** Parts that laws check in the same manner in all declarations. */
interface Parts {
  readonly words: NodeInField<Words>[];
  readonly names: NodeInField<Name>[];
  readonly references: NodeInField<Reference>[];
  readonly labels: NodeInField<LabelNode>[];
}

/** Returns all quoted texts, including those in conditions and arguments. */
export function listWords(tree: FileTree): readonly NodeInField<Words>[] {
  return collectParts(tree).words;
}

/** Returns all single names, and the parts of names with dots. */
export function listNames(tree: FileTree): readonly NodeInField<Name>[] {
  return collectParts(tree).names;
}

/** Returns all names that refer to a declaration, with or without dots. */
export function listReferences(tree: FileTree): readonly NodeInField<Reference>[] {
  return collectParts(tree).references;
}

export function listLabels(tree: FileTree): readonly NodeInField<LabelNode>[] {
  return collectParts(tree).labels;
}

const walked = new WeakMap<FileTree, Parts>();

/**
 * Returns the parts of a tree in all declarations, so that laws about them also cover future constructs. The function does not recurse,
 * because a page may nest values to any depth.
 */
function collectParts(tree: FileTree): Parts {
  const known = walked.get(tree);
  if (known !== undefined) return known;
  const parts: Parts = { words: [], names: [], references: [], labels: [] };
  const waiting: NodeInField<object>[] = [{ role: "items", node: tree.items }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { role, node } = next;
    if (Array.isArray(node)) pushEach(waiting, role, node);
    else {
      keep(parts, role, node);
      pushFields(waiting, node);
    }
  }
  walked.set(tree, parts);
  return parts;
}

function pushEach(waiting: NodeInField<object>[], role: string, nodes: readonly unknown[]): void {
  for (const node of nodes) if (typeof node === "object" && node !== null) waiting.push({ role, node });
}

function pushFields(waiting: NodeInField<object>[], node: object): void {
  // Use `for…in` instead of `Object.entries`, because with 10,000 declarations the lists of entries took half of the time.
  for (const role in node) {
    const value: unknown = node[role as keyof typeof node];
    if (typeof value === "object" && value !== null && role !== "span") waiting.push({ role, node: value });
  }
}

function keep({ words, names, references, labels }: Parts, role: string, node: object): void {
  if (isReference(node)) references.push({ role, node });
  else if (isName(node)) names.push({ role, node });
  else if (isWords(node)) words.push({ role, node });
  else if (isLabel(node)) labels.push({ role, node });
}

function isReference(node: object): node is Reference {
  return "parts" in node;
}

function isName(node: object): node is Name {
  return "text" in node && "span" in node;
}

function isWords(node: object): node is Words {
  return "value" in node && typeof node.value === "string" && "span" in node;
}

function isLabel(node: object): node is LabelNode {
  return "level" in node && "compartments" in node;
}
