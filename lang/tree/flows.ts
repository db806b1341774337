import type { Span } from "../text/index.ts";
import type { DeclarationBase, LabelNode, ModeNode, Name, Reference, Words } from "./names.ts";

/**
 * An ingress, for example `ingress nightly : timer "0 3 * * *" in "Europe/Berlin" missed once says "Sum up the notes."
 * into operator label public/untrusted`.
 */
export interface IngressNode extends DeclarationBase {
  readonly kind: "ingress";
  readonly source: Name;
  readonly address: Words | undefined;
  /** Time zone of a timer. */
  readonly zone: Words | undefined;
  /** How a timer treats runs that it missed: `skip`, `once` or `each`. */
  readonly missed: Name | undefined;
  readonly into: Reference;
  readonly label: LabelNode;
  /** Message with which a run of a timer begins. */
  readonly says: Words | undefined;
}

export interface ReleaseNode {
  readonly kind: "release";
  readonly act: "declassify" | "endorse";
  readonly tool: Reference;
  readonly from: LabelNode;
  readonly to: LabelNode;
  readonly by: ModeNode;
  readonly session: Reference | undefined;
  readonly because: Words;
  readonly span: Span;
}

/** A redaction, for example `redact cards label secret { matches "################" from bank.history.card }`. */
export interface RedactionNode extends DeclarationBase {
  readonly kind: "redaction";
  readonly label: LabelNode;
  readonly parts: readonly RedactionPart[];
}

/** A part of a redaction: `from` names fields of results, and `arg` names arguments of calls. */
export type RedactionPart =
  | { readonly kind: "matches"; readonly patterns: readonly Words[]; readonly span: Span }
  | { readonly kind: "from" | "arg"; readonly fields: readonly Reference[]; readonly span: Span };

export interface WaiveNode {
  readonly kind: "waive";
  readonly assertion: Name;
  readonly session: Reference | undefined;
  readonly because: Words;
  readonly span: Span;
}
