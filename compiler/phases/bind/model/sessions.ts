import type { Span } from "../../../../lang/text/index.ts";
import type { Mode, PrincipalNode, SessionNode, WidenNode } from "../../../../lang/tree/index.ts";
import type { BoundQuota } from "../quota.ts";
import type { Backend } from "./backends.ts";
import type { BoundLabel } from "./lattice.ts";
import type { BoundLine, Narrowings } from "./lines.ts";

export interface Principal {
  readonly name: string;
  /** OpenSSH public keys without comments. */
  readonly keys: readonly { readonly key: string; readonly span: Span }[];
  /** Name of the principal's passphrase on the data disk. */
  readonly passphrase: { readonly name: string; readonly span: Span } | undefined;
  readonly node: PrincipalNode;
}

/** How a person can unlock a closed session at the console. */
export const LOGINS = ["key", "passphrase"] as const;
export type LoginProof = (typeof LOGINS)[number];

export interface Choice {
  readonly backend: Backend;
  readonly mode: Mode;
  readonly span: Span;
}

export const KINDS = ["operator", "guest", "anonymous", "service"] as const;
type Kind = (typeof KINDS)[number];

export interface Widening {
  readonly lines: readonly BoundLine[];
  readonly models: readonly Choice[] | undefined;
  readonly clearance: BoundLabel | undefined;
  readonly quotas: readonly BoundQuota[];
  readonly words: string;
  readonly node: WidenNode;
}

/** A session as the page writes it. Inherited settings are found through `base`, never copied. */
export interface Session extends Narrowings {
  /** For example `operator`, or `profiles.operator` for a session of the standard library. */
  readonly id: string;
  readonly abstract: boolean;
  readonly relation: "extends" | "from" | undefined;
  /**
   * Session that this session extends or uses; `undefined` if there is none or its name is unknown. A session whose base is unknown is
   * damaged.
   */
  readonly base: Session | undefined;
  readonly damaged: boolean;
  /** Whether the package itself declares the session, not the standard library. */
  readonly own: boolean;
  readonly kind: { readonly name: Kind; readonly span: Span } | undefined;
  readonly principals: readonly Principal[] | undefined;
  readonly login: { readonly proof: LoginProof; readonly span: Span } | undefined;
  /** Line that requires a task for every call; `undefined` if the session does not require one. */
  readonly taskRequirement: { readonly span: Span } | undefined;
  readonly starts: BoundLabel | undefined;
  readonly clearance: BoundLabel | undefined;
  readonly models: readonly Choice[] | undefined;
  readonly widenings: readonly Widening[];
  readonly node: SessionNode;
}
