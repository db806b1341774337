import type {
  Check,
  LetNode,
  Line,
  Literal,
  Operand,
  ParameterNode,
  Pattern,
  Reference,
  RelatedNode,
  SourceNode,
  Term,
  Test,
  WhereClause,
} from "../../../../lang/tree/index.ts";
import { either, record } from "../record.ts";
import { flag, listOf, NOWHERE, oneOf, optional, type Shape, textual, truth } from "../shape.ts";
import {
  doc,
  mode,
  name,
  numeral,
  parseReference,
  quotable,
  REFERENCE,
  reference,
  renderReference,
  text,
  words,
} from "./names.ts";

const WITHIN = new RegExp(`^(${REFERENCE}) in (${REFERENCE})$`);

/** A pattern, written with the same text as on a page: `*`, `readOnly`, `Files.*` or `readOnly in Files`. */
export const pattern: Shape<Pattern> = textual(
  {
    pattern: new RegExp(`^(?:\\*|${REFERENCE}(?:\\.\\*)?|${REFERENCE} in ${REFERENCE})$`),
    what: 'a pattern: "*", "a.b", "a.*" or "a in b"',
  },
  renderPattern,
  parsePattern,
);

function renderPattern(node: Pattern): string {
  switch (node.kind) {
    case "everything":
      return "*";
    case "named":
      return renderReference(node.name);
    case "all-of":
      return `${renderReference(node.name)}.*`;
    case "within":
      return `${renderReference(node.name)} in ${renderReference(node.owner)}`;
  }
}

function parsePattern(image: string): Pattern | undefined {
  if (image === "*") return { kind: "everything", span: NOWHERE };
  const [, inner, outer] = WITHIN.exec(image) ?? [];
  if (inner !== undefined && outer !== undefined)
    return createWithinPattern(parseReference(inner), parseReference(outer));
  const isAll = image.endsWith(".*");
  const named = parseReference(isAll ? image.slice(0, -2) : image);
  return named && { kind: isAll ? "all-of" : "named", name: named, span: NOWHERE };
}

function createWithinPattern(inner: Reference | undefined, owner: Reference | undefined): Pattern | undefined {
  return inner && owner && { kind: "within", name: inner, owner, span: NOWHERE };
}

const LITERALS: { readonly [Kind in Literal["kind"]]: Shape<Extract<Literal, { kind: Kind }>> } = {
  text: record({ kind: oneOf("text"), value: text }),
  boolean: record({ kind: oneOf("boolean"), value: truth }),
  number: record({ kind: oneOf("number"), amount: numeral, unit: optional(name) }),
};

export const literal: Shape<Literal> = either<Literal, "kind">("kind", LITERALS);

const parameter: Shape<ParameterNode> = record({ kind: oneOf("parameter"), name });

const operand: Shape<Operand> = either<Operand, "kind">("kind", { ...LITERALS, parameter });

export const namedSet: Shape<LetNode> = record({ kind: oneOf("let"), name, doc, literals: listOf(literal) });

const term: Shape<Term> = record({ functions: listOf(quotable), argument: reference });

const related: Shape<RelatedNode> = record({
  field: reference,
  test: either<RelatedNode["test"], "kind">("kind", {
    is: record({ kind: oneOf("is"), text: words }),
    from: record({ kind: oneOf("from"), sources: listOf(reference) }),
  }),
});

const source: Shape<SourceNode> = record({ name: reference, call: listOf(related), record: listOf(related) });

const test: Shape<Test> = either<Test, "kind">("kind", {
  compare: record({ kind: oneOf("compare"), operator: oneOf("==", "!=", "<", "<=", ">", ">="), literal: operand }),
  in: record({ kind: oneOf("in"), literals: listOf(operand) }),
  "in-set": record({ kind: oneOf("in-set"), set: name }),
  under: record({ kind: oneOf("under"), root: words }),
  from: record({ kind: oneOf("from"), sources: listOf(source) }),
  "by-parameter": record({
    kind: oneOf("by-parameter"),
    operator: oneOf("under", "startsWith", "endsWith"),
    parameter,
  }),
  startsWith: record({ kind: oneOf("startsWith"), text: words }),
  endsWith: record({ kind: oneOf("endsWith"), text: words }),
  matches: record({ kind: oneOf("matches"), text: words }),
  has: record({ kind: oneOf("has"), isWanted: truth }),
});

export const check: Shape<Check> = record({ term, test, isMetIfAbsent: flag });

const where: Shape<WhereClause> = record({ checks: listOf(check), otherwise: mode });

export const line: Shape<Line> = record({
  mode,
  isInherited: flag,
  patterns: listOf(pattern),
  where: optional(where),
  because: optional(words),
});
