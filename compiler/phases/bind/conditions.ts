import type { Check, Literal as LiteralNode } from "../../../lang/tree/index.ts";
import { type Context, resolveWord } from "./context.ts";
import { convertToByteDecimal, isByteUnit } from "./quantities.ts";
import { type BoundSource, bindSources, type SourceWords } from "./sources.ts";

type TermKind = "value" | "size" | "origin";
type Operator = "equal" | "notEqual" | "less" | "lessOrEqual" | "greater" | "greaterOrEqual" | "in" | "under" | "from";

export type BoundLiteral = { readonly node: LiteralNode | undefined } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  /** `unit`: bytes are multiplied out; a currency stays beside its amount. */
  | { readonly kind: "decimal"; readonly decimal: string; readonly unit: "bytes" | string | undefined }
);

/** A test of one argument, not yet held against any tool. */
export interface BoundCheck {
  readonly path: readonly string[];
  readonly term: TermKind;
  readonly operator: Operator;
  readonly literals: readonly BoundLiteral[];
  /** Of `from` alone. */
  readonly sources: readonly BoundSource[];
  readonly node: Check;
}

const OPERATORS = {
  "==": "equal",
  "!=": "notEqual",
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
} as const;

/** A check with its units multiplied out; nothing where a word in it is unknown, which was reported. */
export function bindCheck(context: Context, words: SourceWords, node: Check): BoundCheck | undefined {
  const term = bindTerm(context, node);
  const literals = bindLiterals(context, node);
  const sources = node.test.kind === "from" ? bindSources(context, words, node.test.sources) : [];
  if (term === undefined || literals === undefined || sources === undefined) return undefined;
  const operator = node.test.kind === "compare" ? OPERATORS[node.test.operator] : node.test.kind;
  return { path: node.term.argument.parts.map((part) => part.text), term, operator, literals, sources, node };
}

function bindTerm(context: Context, { term }: Check): TermKind | undefined {
  if (term.function === undefined) return "value";
  return resolveWord(context, "function", ["size", "origin"], term.function);
}

function bindLiterals(context: Context, { test }: Check): BoundLiteral[] | undefined {
  if (test.kind === "under") return [{ kind: "text", text: test.root.value, node: undefined }];
  if (test.kind === "from") return [];
  const nodes = test.kind === "in" ? test.literals : [test.literal];
  const literals = nodes.map((node) => bindLiteral(context, node));
  return literals.some((literal) => literal === undefined) ? undefined : literals.flatMap((literal) => literal ?? []);
}

function bindLiteral(context: Context, node: LiteralNode): BoundLiteral | undefined {
  switch (node.kind) {
    case "text":
      return { kind: "text", text: node.value, node };
    case "boolean":
      return { kind: "boolean", boolean: node.value, node };
    case "number": {
      const { amount, unit } = node;
      if (unit === undefined) return { kind: "decimal", decimal: amount.decimal, unit: undefined, node };
      // Three capital letters are a currency, as ISO 4217 has them; whether it fits is a question to each tool.
      if (/^[A-Z]{3}$/.test(unit.text) && !isByteUnit(unit.text)) {
        return { kind: "decimal", decimal: amount.decimal, unit: unit.text, node };
      }
      const decimal = convertToByteDecimal(context, amount, unit);
      return decimal === undefined ? undefined : { kind: "decimal", decimal, unit: "bytes", node };
    }
  }
}
