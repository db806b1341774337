import type { Literal } from "./lines.ts";
import type { DeclarationBase } from "./names.ts";

/** A named set of values, for example `let partners = ["a.example", "b.example"]`. */
export interface LetNode extends DeclarationBase {
  readonly kind: "let";
  readonly literals: readonly Literal[];
}
