import type { FileTree, LabelNode, Name, Reference, Words } from "../../../lang/tree/index.ts";

/** A part of a syntax tree, with the name of the field that contains it, such as `because` or `category`. */
export interface NodeInField<Node> {
  readonly role: string;
  readonly node: Node;
}

/** The parts of a syntax tree that laws examine in all kinds of declarations. */
interface Parts {
  readonly words: NodeInField<Words>[];
  readonly names: NodeInField<Name>[];
  readonly references: NodeInField<Reference>[];
  readonly labels: NodeInField<LabelNode>[];
}

/** Returns the texts in quotes, including those of conditions and arguments. */
export function listWords(tree: FileTree): readonly NodeInField<Words>[] {
  return collectParts(tree).words;
}

/** Returns the names without dots, and each part of the names with dots. */
export function listNames(tree: FileTree): readonly NodeInField<Name>[] {
  return collectParts(tree).names;
}

/** Returns the names, with or without dots, that refer to a declaration. */
export function listReferences(tree: FileTree): readonly NodeInField<Reference>[] {
  return collectParts(tree).references;
}

export function listLabels(tree: FileTree): readonly NodeInField<LabelNode>[] {
  return collectParts(tree).labels;
}

const walked = new WeakMap<FileTree, Parts>();

/**
 * Returns every part of a tree in any declaration, so that laws about all parts also cover future constructs. It does
 * not recurse, because values on a page can be nested deeply.
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
  // `for…in` is used instead of `Object.entries`, whose lists took half of the time for 10,000 declarations.
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
