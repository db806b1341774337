import type { Span } from "../text/index.ts";
import type { LabelNode, Name, Quantity, Words } from "./names.ts";

/** A block `storage`, `network` or `image`: settings, each of which is a name with one or more values. */
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

/** `audit { digests above LABEL  keep until REASON }`: what the audit log keeps, and how long. */
export interface AuditNode {
  readonly kind: "audit";
  readonly lines: readonly AuditLine[];
  readonly span: Span;
  readonly damaged: boolean;
}

export type AuditLine = DigestsLine | KeepLine;

/** The line `digests above LABEL`. */
export interface DigestsLine {
  readonly kind: "digests";
  readonly above: LabelNode;
  readonly span: Span;
}

/** The line `keep until shipped` or `keep until exported`. */
export interface KeepLine {
  readonly kind: "keep";
  readonly until: "exported" | "shipped";
  readonly span: Span;
}
