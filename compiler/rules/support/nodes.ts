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

/** Returns all names of the tree. A name with dots, such as `a.b`, is returned as its parts `a` and `b`. */
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
 * Returns the parts of all declarations of a tree, whatever kind they have, so that laws about parts also cover kinds
 * that the language gets later. The function does not recurse, because values on a page can be nested deeply.
 */
function collectParts(tree: FileTree): Parts {
  const known = walked.get(tree);
  if (known !== undefined) return known;
  const parts: Parts = { words: [], names: [], references: [], labels: [] };
  // `roles[i]` is the name of the field that contains the part `waiting[i]`. One list of pairs would be slower: ten
  // thousand declarations have a hundred thousand parts, and each would need a new pair.
  const roles = ["items"];
  const waiting: object[] = [tree.items];
  const push = (role: string, value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    roles.push(role);
    waiting.push(value);
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const role = roles.pop() ?? "";
    if (Array.isArray(node)) for (let index = 0; index < node.length; index++) push(role, node[index]);
    else {
      keep(parts, role, node);
      // `for…in` is used instead of `Object.entries`, because with 10,000 declarations the lists of entries took half
      // of the time.
      for (const field in node) if (field !== "span") push(field, node[field as keyof typeof node]);
    }
  }
  walked.set(tree, parts);
  return parts;
}

function keep({ words, names, references, labels }: Parts, role: string, node: object): void {
  if (isReference(node)) references.push({ role, node });
  else if (isName(node)) names.push({ role, node });
  else if (isWords(node)) words.push({ role, node });
  else if (isLabel(node)) labels.push({ role, node });
}

/**
 * Fields that distinguish the kinds of parts: only a reference has `parts`, for example. Reading such a field is faster
 * than the operator `in`, because parts have many shapes.
 */
type Marks = Readonly<Partial<Record<"parts" | "text" | "span" | "value" | "level" | "compartments", unknown>>>;

function isReference(node: Marks): node is Reference {
  return node.parts !== undefined;
}

function isName(node: Marks): node is Name {
  return node.text !== undefined && node.span !== undefined;
}

function isWords(node: Marks): node is Words {
  return typeof node.value === "string" && node.span !== undefined;
}

function isLabel(node: Marks): node is LabelNode {
  return node.level !== undefined && node.compartments !== undefined;
}
