import type { ScanResult } from "../grammar/index.ts";
import type { Span } from "../text/index.ts";
import type { BackendAttribute, Item, SessionAttribute, TaskAttribute } from "../tree/index.ts";

// Finds the starts of the elements of blocks. If a block does not fit on one line, each of its elements gets a line of its own.

interface Placed {
  readonly span: Span;
}

/** Offsets of the first tokens of elements and facts; doc comments are not tokens. */
export interface TokenStarts {
  /** Starts of all elements of all blocks. */
  readonly elements: ReadonlySet<number>;
  /** Starts of the facts of methods. Facts share one line, with wider gaps between them. */
  readonly facts: ReadonlySet<number>;
}

export function collectStarts(items: readonly Item[], { tokens }: ScanResult): TokenStarts {
  const starts = new Set<number>();
  const paths = new Set<number>();
  const facts = new Set<number>();
  for (const item of items.flatMap(flattenItems)) {
    if (item.kind === "interface")
      for (const method of item.methods) for (const { span } of method.facts) facts.add(span.start);
    // The span of an imported schema begins at its path. The element begins two tokens earlier, at `use`.
    if (item.kind === "use" && "alias" in item) paths.add(item.span.start);
    else for (const { span } of [item, ...collectElements(item)]) starts.add(span.start);
  }
  for (let index = 2; index < tokens.count; index++) {
    if (paths.has(tokens.start(index))) starts.add(tokens.start(index - 2));
  }
  return { elements: starts, facts };
}

/** Returns the item, and for a system also the items inside. */
function flattenItems(item: Item): Item[] {
  return item.kind === "system" ? [item, ...item.items.flatMap(flattenItems)] : [item];
}

function collectElements(item: Item): readonly Placed[] {
  switch (item.kind) {
    case "interface":
      return item.methods;
    case "principal":
      return item.proofs;
    case "redaction":
      return item.parts;
    case "model":
    case "service":
      return item.attributes;
    case "backend":
      return [...(item.engine === undefined ? [] : [item.engine]), ...item.attributes.flatMap(collectAttribute)];
    case "session":
    case "task":
    case "worker":
      return item.attributes.flatMap(collectAttribute);
    case "test":
      return item.steps;
    case "storage":
    case "network":
    case "image":
      return item.settings;
    case "audit":
      return item.lines;
    case "system":
    case "use":
    case "levels":
    case "compartments":
    case "let":
    case "category":
    case "ingress":
    case "release":
    case "waive":
    case "assert":
      return [];
  }
}

type Attribute = BackendAttribute | SessionAttribute | TaskAttribute;

/** Returns the attribute itself, the elements of its block, and the elements of blocks inside its block. */
function collectAttribute(node: Attribute): readonly Placed[] {
  return [node, ...collectLines(node)];
}

function collectLines(node: Attribute): readonly Placed[] {
  if (node.kind === "phase") return node.attributes.flatMap(collectAttribute);
  if (node.kind === "permit") return node.lines;
  if (node.kind === "models") return node.choices;
  if (node.kind === "when") return node.floors;
  if (node.kind === "quota") return node.entries;
  if (node.kind === "timeout") return node.limits;
  if (node.kind !== "widen") return [];
  return node.changes.flatMap((change) => (change.kind === "line" ? [change] : collectAttribute(change)));
}
