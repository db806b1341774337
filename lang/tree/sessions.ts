import type { Span } from "../text/index.ts";
import type { Line } from "./lines.ts";
import type { DeclarationBase, LabelNode, ModeNode, Name, Reference, Words } from "./names.ts";
import type { Narrowing, QuotaNode } from "./narrowing.ts";

export interface SessionNode extends DeclarationBase {
  readonly kind: "session";
  readonly abstract: boolean;
  readonly base: { readonly relation: "extends" | "from"; readonly name: Reference } | undefined;
  readonly attributes: readonly SessionAttribute[];
}

export type SessionAttribute =
  | { readonly kind: "kind"; readonly name: Name; readonly span: Span }
  | { readonly kind: "principals"; readonly names: readonly Name[]; readonly span: Span }
  | { readonly kind: "login"; readonly proof: Name; readonly span: Span }
  | { readonly kind: "requires"; readonly span: Span }
  | { readonly kind: "starts"; readonly label: LabelNode; readonly span: Span }
  | ModelsNode
  | ClearanceNode
  | WidenNode
  | Narrowing;

export interface ModelsNode {
  readonly kind: "models";
  readonly choices: readonly { readonly mode: ModeNode; readonly backend: Name; readonly span: Span }[];
  readonly span: Span;
}

export interface ClearanceNode {
  readonly kind: "clearance";
  readonly label: LabelNode;
  readonly span: Span;
}

export interface WidenNode {
  readonly kind: "widen";
  readonly changes: readonly (WidenLine | ModelsNode | ClearanceNode | QuotaNode)[];
  readonly because: Words;
  readonly until: Words | undefined;
  readonly span: Span;
}

export interface WidenLine {
  readonly kind: "line";
  readonly line: Line;
  readonly span: Span;
}
