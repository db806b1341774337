import type { Span } from "../text/index.ts";
import type { DeclarationBase, KeywordValue, LabelNode, Name, Numeral, Quantity, Reference, Words } from "./names.ts";
import type { QuotaNode } from "./narrowing.ts";

export interface ModelNode extends DeclarationBase {
  readonly kind: "model";
  readonly attributes: readonly ModelAttribute[];
}

export type ModelAttribute =
  | { readonly kind: "weights"; readonly path: Words; readonly span: Span }
  | { readonly kind: "arch" | "quantisation"; readonly name: Name; readonly span: Span }
  | { readonly kind: "context" | "accept"; readonly size: Quantity; readonly span: Span }
  | { readonly kind: "served"; readonly words: Words; readonly span: Span }
  | { readonly kind: "price"; readonly amounts: readonly Quantity[]; readonly span: Span }
  | { readonly kind: "tools"; readonly supported: KeywordValue<boolean>; readonly span: Span };

export interface BackendNode extends DeclarationBase {
  readonly kind: "backend";
  /** `undefined` if a syntax error removed the engine. */
  readonly engine: BackendEngine | undefined;
  readonly attributes: readonly BackendAttribute[];
}

export type BackendEngine =
  | { readonly kind: "cpu" | "gpu"; readonly span: Span }
  | { readonly kind: "stub"; readonly replies: Words | undefined; readonly span: Span }
  | { readonly kind: "remote" | "browser"; readonly provider: Name; readonly address: Words; readonly span: Span };

export type BackendAttribute =
  | { readonly kind: "model" | "embedder"; readonly name: Name; readonly span: Span }
  | { readonly kind: "threads"; readonly count: Numeral; readonly span: Span }
  | { readonly kind: "memory"; readonly size: Quantity; readonly span: Span }
  | { readonly kind: "clearance"; readonly label: LabelNode; readonly span: Span }
  | { readonly kind: "token"; readonly secret: Reference; readonly span: Span }
  | { readonly kind: "log"; readonly span: Span }
  | QuotaNode;
