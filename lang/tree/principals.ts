import type { Span } from "../text/index.ts";
import type { DeclarationBase, Words } from "./names.ts";

export interface PrincipalNode extends DeclarationBase {
  readonly kind: "principal";
  readonly proofs: readonly Proof[];
}

export interface Proof {
  readonly kind: "ssh" | "passkey" | "passphrase";
  readonly value: Words;
  readonly span: Span;
}
