import type { AssertNode, Mode } from "../../../../lang/tree/index.ts";
import type { BoundQuota } from "../quota.ts";
import type { Backend } from "./backends.ts";
import type { Interface, Service } from "./interfaces.ts";
import type { BoundLabel } from "./lattice.ts";
import type { BoundPattern } from "./lines.ts";
import type { Subject } from "./tasks.ts";

export interface Assertion {
  readonly claim: BoundClaim;
  /**
   * Session or task that the assertion is about; `undefined` means all sessions. A session includes the sessions that
   * extend it.
   */
  readonly subject: Subject | undefined;
  readonly withoutReleases: boolean;
  /** The claim as canonical source text. */
  readonly words: string;
  readonly node: AssertNode;
}

export type BoundClaim =
  | { readonly kind: "never-flow"; readonly label: BoundLabel; readonly to: FlowTarget }
  | { readonly kind: "never-trifecta" }
  | NeverCall
  | Always
  | { readonly kind: "limit"; readonly quota: BoundQuota };

/**
 * Claim that calls of these tools never run. If `directly` is set, only calls of the session itself count, not calls
 * through grants and plans.
 */
interface NeverCall {
  readonly kind: "never-call";
  readonly patterns: readonly BoundPattern[];
  readonly ungated: boolean;
  readonly directly: boolean;
}

/** Claim that calls of these tools always have this mode or a stricter one. */
interface Always {
  readonly kind: "always";
  readonly mode: Mode;
  readonly patterns: readonly BoundPattern[];
  readonly directly: boolean;
}

export type FlowTarget =
  | { readonly kind: "backend"; readonly backend: Backend }
  | { readonly kind: "service"; readonly service: Service }
  | { readonly kind: "interface"; readonly interface: Interface };
