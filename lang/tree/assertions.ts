import type { Span } from "../text/index.ts";
import type { Pattern } from "./lines.ts";
import type { LabelNode, ModeNode, Reference } from "./names.ts";
import type { QuotaEntry } from "./narrowing.ts";

export interface AssertNode {
  readonly kind: "assert";
  readonly claim: Claim;
  readonly subject: Reference | undefined;
  readonly withoutReleases: boolean;
  readonly span: Span;
}

export type Claim =
  | { readonly kind: "never-flow"; readonly label: LabelNode; readonly to: Reference }
  | { readonly kind: "never-trifecta" }
  | NeverCall
  | {
      readonly kind: "always";
      readonly mode: ModeNode;
      readonly patterns: readonly Pattern[];
      readonly directly: boolean;
    }
  | { readonly kind: "limit"; readonly quota: QuotaEntry };

/**
 * The claim that calls of certain tools never run. With `directly`, it covers only calls that the session makes itself,
 * and not those that services with grants or action plans make.
 */
interface NeverCall {
  readonly kind: "never-call";
  readonly patterns: readonly Pattern[];
  readonly ungated: boolean;
  readonly directly: boolean;
}
