import type { Span } from "../text/index.ts";
import type { Declared, Words } from "./names.ts";

export interface PrincipalNode extends Declared {
  readonly kind: "principal";
  readonly proofs: readonly Proof[];
}

export interface Proof {
  readonly kind: "ssh" | "passkey" | "passphrase";
  readonly value: Words;
  readonly span: Span;
}
