import type {
  ArgumentMeaning,
  CategoryNode,
  CompartmentsNode,
  Fact,
  InterfaceNode,
  LevelsNode,
  MethodNode,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { listOf, mapped, NOWHERE, oneOf, optional, type Shape } from "../shape.ts";
import { doc, label, name, quantity, quotable, reference, words } from "./names.ts";

export const levels: Shape<LevelsNode> = record({
  kind: oneOf("levels"),
  lattice: oneOf("confidentiality", "integrity"),
  levels: listOf(name),
});

export const compartments: Shape<CompartmentsNode> = record({ kind: oneOf("compartments"), names: listOf(name) });

export const category: Shape<CategoryNode> = record({ kind: oneOf("category"), name, doc, parent: optional(name) });

type Plain = Exclude<ArgumentMeaning, { kind: "money" }>;

const plain: Shape<Plain> = record({ kind: oneOf("path", "url", "text", "program") });

const meaning: Shape<ArgumentMeaning> = either<ArgumentMeaning, "kind">("kind", {
  path: plain,
  url: plain,
  text: plain,
  program: plain,
  money: record({ kind: oneOf("money"), currency: name }),
});

const fact: Shape<Fact> = either<Fact, "kind">("kind", {
  argument: record({ kind: oneOf("argument"), argument: reference, meaning }),
  returns: record({ kind: oneOf("returns"), low: label, high: label }),
  sends: record({ kind: oneOf("sends"), label }),
  redact: record({ kind: oneOf("redact"), fields: listOf(words) }),
  truncate: record({ kind: oneOf("truncate"), size: quantity }),
  says: record({ kind: oneOf("says"), words }),
});

const method: Shape<MethodNode> = record({
  kind: oneOf("method"),
  name: quotable,
  doc,
  category: name,
  facts: listOf(fact),
});

/** Shape of interfaces. The field `name` is not written, because it repeats the text of `reference`. */
export const interfaces: Shape<InterfaceNode> = mapped(
  record<Omit<InterfaceNode, "name">>({ kind: oneOf("interface"), doc, reference, methods: listOf(method) }),
  (node) => node,
  (node) => ({ ...node, name: { text: node.reference.text, span: NOWHERE } }),
);
