import type { Span } from "../text/index.ts";
import type { LabelNode, Name, Quantity, Words } from "./names.ts";

/** `storage`, `network` and `image`: names with one or more values. */
export interface SettingsNode {
  readonly kind: "storage" | "network" | "image";
  readonly settings: readonly Setting[];
  readonly span: Span;
  readonly damaged: boolean;
}

export interface Setting {
  readonly name: Name;
  readonly values: readonly SettingValue[];
  readonly span: Span;
}

export type SettingValue =
  | { readonly kind: "name"; readonly value: Name; readonly span: Span }
  | { readonly kind: "text"; readonly value: Words; readonly span: Span }
  | { readonly kind: "quantity"; readonly value: Quantity; readonly span: Span };

/** `audit { digests above LABEL }`: the limit of the text in the audit log. */
export interface AuditNode {
  readonly kind: "audit";
  readonly lines: readonly AuditLine[];
  readonly span: Span;
  readonly damaged: boolean;
}

export interface AuditLine {
  readonly kind: "digests";
  readonly above: LabelNode;
  readonly span: Span;
}
