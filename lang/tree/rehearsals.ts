import type { Span } from "../text/index.ts";
import type { Literal } from "./lines.ts";
import type { LabelNode, Name, Numeral, Reference, Words } from "./names.ts";

/** A test of the page, written `test "…" { … }`: a conversation that `capc test` runs against the compiled tables. */
export interface RehearsalNode {
  readonly kind: "test";
  readonly title: Words;
  readonly steps: readonly Step[];
  readonly span: Span;
}

export type Step =
  | {
      readonly kind: "as";
      readonly who: Reference;
      /** Values that the test gives to the parameters of the task. */
      readonly given: readonly GivenNode[];
      readonly unattended: boolean;
      readonly span: Span;
    }
  | { readonly kind: "say" | "paste"; readonly text: Words; readonly span: Span }
  | {
      readonly kind: "enter" | "infer";
      readonly name: Name;
      readonly answer: Name | undefined;
      readonly expect: Name;
      readonly span: Span;
    }
  | {
      readonly kind: "call";
      readonly tool: Reference;
      readonly arguments: Json;
      readonly returning: LabelNode | undefined;
      /** Result that the step gives the call. If it is `undefined`, the call has an empty result. */
      readonly giving: Json | undefined;
      readonly answer: Name | undefined;
      readonly expect: Name;
      readonly span: Span;
    };

/** `recipient: "ACME"` */
export interface GivenNode {
  readonly name: Name;
  readonly value: Literal;
  readonly span: Span;
}

export type Json =
  | { readonly kind: "text"; readonly value: Words }
  | { readonly kind: "number"; readonly value: Numeral }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "null" }
  | { readonly kind: "list"; readonly items: readonly Json[] }
  | { readonly kind: "record"; readonly fields: readonly JsonField[] };

/** A field of a record; `span` is the span of the field's name. */
export interface JsonField {
  readonly name: string;
  readonly value: Json;
  readonly span: Span;
}
