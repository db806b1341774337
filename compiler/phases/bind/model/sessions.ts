import type { Span } from "../../../../lang/text/index.ts";
import type { Mode, PrincipalNode, SessionNode, WidenNode } from "../../../../lang/tree/index.ts";
import type { BoundQuota } from "../quota.ts";
import type { Backend } from "./backends.ts";
import type { BoundLabel } from "./lattice.ts";
import type { BoundLine, Narrowings } from "./lines.ts";

export interface Principal {
  readonly name: string;
  /** OpenSSH public keys without comment. */
  readonly keys: readonly { readonly key: string; readonly span: Span }[];
  /** Name of the principal's passphrase on the data disk. */
  readonly passphrase: { readonly name: string; readonly span: Span } | undefined;
  readonly node: PrincipalNode;
}

/** Ways in which a user can log in to a session at the console. */
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

/** A session with only its own settings. Inherited settings are looked up in `base`, never copied. */
export interface Session extends Narrowings {
  /** Name of the session: `operator`, or `profiles.operator` for a session of the standard library. */
  readonly id: string;
  readonly abstract: boolean;
  readonly relation: "extends" | "from" | undefined;
  /**
   * Base of the session; `undefined` if there is none or its name is unknown. If the name is unknown, the session is
   * damaged.
   */
  readonly base: Session | undefined;
  readonly damaged: boolean;
  /** Whether the session is declared in the package and not in the standard library. */
  readonly own: boolean;
  readonly kind: { readonly name: Kind; readonly span: Span } | undefined;
  readonly principals: readonly Principal[] | undefined;
  readonly login: { readonly proof: LoginProof; readonly span: Span } | undefined;
  /**
   * The line `requires task`, which permits tools only inside of a task; `undefined` if the session has no such line.
   */
  readonly taskRequirement: { readonly span: Span } | undefined;
  readonly starts: BoundLabel | undefined;
  readonly clearance: BoundLabel | undefined;
  readonly models: readonly Choice[] | undefined;
  readonly widenings: readonly Widening[];
  readonly node: SessionNode;
}
