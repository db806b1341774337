import type { Span } from "../text/index.ts";
import type { DeclarationBase, LabelNode, Name, Quantity, Reference, Words } from "./names.ts";

export interface LevelsNode {
  readonly kind: "levels";
  readonly lattice: "confidentiality" | "integrity";
  /** Levels, the lowest first. */
  readonly levels: readonly Name[];
  readonly span: Span;
}

export interface CompartmentsNode {
  readonly kind: "compartments";
  readonly names: readonly Name[];
  readonly span: Span;
}

export interface CategoryNode extends DeclarationBase {
  readonly kind: "category";
  /** Only the standard library may omit the parent, for the root categories. */
  readonly parent: Name | undefined;
}

export interface InterfaceNode extends DeclarationBase {
  readonly kind: "interface";
  readonly reference: Reference;
  readonly methods: readonly MethodNode[];
}

export interface MethodNode extends DeclarationBase {
  readonly kind: "method";
  readonly category: Name;
  readonly facts: readonly Fact[];
}

export type Fact =
  | { readonly kind: "argument"; readonly argument: Reference; readonly meaning: ArgumentMeaning; readonly span: Span }
  | { readonly kind: "returns"; readonly low: LabelNode; readonly high: LabelNode; readonly span: Span }
  | { readonly kind: "sends"; readonly label: LabelNode; readonly span: Span }
  | { readonly kind: "redact"; readonly fields: readonly Words[]; readonly span: Span }
  | { readonly kind: "truncate"; readonly size: Quantity; readonly span: Span }
  /** Description of the tool for models and people, which replaces the text of its schema. */
  | { readonly kind: "says"; readonly words: Words; readonly span: Span };

export type ArgumentMeaning =
  | { readonly kind: "path" | "url" | "text" | "program" }
  | { readonly kind: "money"; readonly currency: Name };
