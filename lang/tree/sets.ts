import type { Literal } from "./lines.ts";
import type { DeclarationBase } from "./names.ts";

/** For example `let partners = ["a.example", "b.example"]`. */
export interface LetNode extends DeclarationBase {
  readonly kind: "let";
  readonly literals: readonly Literal[];
}
