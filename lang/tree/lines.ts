import type { Span } from "../text/index.ts";
import type { ModeNode, Name, Numeral, Reference, Words } from "./names.ts";

/** One permission line: a mode, its patterns, and its condition. */
export interface Line {
  readonly mode: ModeNode;
  /**
   * True for a line that begins with `inherit`. The mode of the line is `auto`, the loosest mode. The strictest layer decides, so if
   * the checks of the line hold, the modes of the surrounding session decide.
   */
  readonly isInherited: boolean;
  readonly patterns: readonly Pattern[];
  readonly where: WhereClause | undefined;
  readonly because: Words | undefined;
  readonly span: Span;
}

export type Pattern =
  | { readonly kind: "everything"; readonly span: Span }
  | { readonly kind: "named"; readonly name: Reference; readonly span: Span }
  | { readonly kind: "all-of"; readonly name: Reference; readonly span: Span }
  | { readonly kind: "within"; readonly name: Reference; readonly owner: Reference; readonly span: Span };

export interface WhereClause {
  readonly checks: readonly Check[];
  readonly otherwise: ModeNode;
  readonly span: Span;
}

export interface Check {
  readonly term: Term;
  readonly test: Test;
  /** True for `or absent`: the check also holds for an argument that is absent or null. */
  readonly isMetIfAbsent: boolean;
  readonly span: Span;
}

/** Left side of a check: `name`, `name.field`, `function(argument)` or `every(domain(urls(argument)))`. */
export interface Term {
  /** Functions, the outermost first. */
  readonly functions: readonly Name[];
  readonly argument: Reference;
  readonly span: Span;
}

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

export type Test =
  | { readonly kind: "compare"; readonly operator: Comparison; readonly literal: Operand }
  | { readonly kind: "in"; readonly literals: readonly Operand[] }
  /** `in partners`: the value is in a named set of the page. */
  | { readonly kind: "in-set"; readonly set: Name }
  | { readonly kind: "under"; readonly root: Words }
  | { readonly kind: "startsWith"; readonly text: Words }
  | { readonly kind: "endsWith"; readonly text: Words }
  /** `under task.folder`: a test that compares with the value of a parameter of the task. */
  | { readonly kind: "by-parameter"; readonly operator: ParameterTest; readonly parameter: ParameterNode }
  /** `?` is one character, `*` any number of characters, `#` one digit, and `\\` makes the next character literal. */
  | { readonly kind: "matches"; readonly text: Words }
  /** `has(name)`, or `not has(name)` if `isWanted` is false. */
  | { readonly kind: "has"; readonly isWanted: boolean }
  | { readonly kind: "from"; readonly sources: readonly SourceNode[] };

/** Source of a value: `person`, a level, or `SERVICE.METHOD(RELATED).FIELD[RELATED]`. */
export interface SourceNode {
  /**
   * The whole name without the brackets: `person`, a level, or service, method and field, such as
   * `calendar.list.participants`.
   */
  readonly name: Reference;
  /** Conditions on the arguments of the earlier call whose result has the field. */
  readonly call: readonly RelatedNode[];
  /** Conditions on other fields of the record, in the result, that contains the field. */
  readonly record: readonly RelatedNode[];
  readonly span: Span;
}

/**
 * A condition on another field of the source's record, such as `owner == "ada"`, or on an argument of its call, such as `path from
 * person`.
 */
export interface RelatedNode {
  readonly field: Reference;
  readonly test:
    | { readonly kind: "is"; readonly text: Words }
    | { readonly kind: "from"; readonly sources: readonly Reference[] };
  readonly span: Span;
}

export type ParameterTest = "under" | "startsWith" | "endsWith";

/** A value to compare with: a literal of the page, or the value that a person gave to a parameter of the task. */
export type Operand = Literal | ParameterNode;

/** `task.limit` */
export interface ParameterNode {
  readonly kind: "parameter";
  readonly name: Name;
  readonly span: Span;
}

export type Literal =
  | { readonly kind: "text"; readonly value: string; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "number"; readonly amount: Numeral; readonly unit: Name | undefined; readonly span: Span };
