import type { Span } from "../text/index.ts";
import type { DeclarationBase, LabelNode, Quantity, Reference, Words } from "./names.ts";

export interface ServiceNode extends DeclarationBase {
  readonly kind: "service";
  readonly interface: Reference;
  readonly attributes: readonly ServiceAttribute[];
}

export type ServiceAttribute =
  | { readonly kind: "exec"; readonly path: Words; readonly span: Span }
  | { readonly kind: "state"; readonly size: Quantity; readonly span: Span }
  | { readonly kind: "label"; readonly low: LabelNode; readonly high: LabelNode; readonly span: Span }
  | { readonly kind: "strong"; readonly fields: readonly Reference[]; readonly span: Span }
  | { readonly kind: "grant"; readonly to: Reference; readonly scopes: readonly Words[]; readonly span: Span };
