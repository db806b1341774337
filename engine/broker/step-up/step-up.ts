// Step-up: a principal proves to be there by signing one line, elsewhere, with a key that this machine does not have.
// The line says everything that is agreed to; whether the call may run is the gate's decision.

import { accept, type Checked, refuse } from "../../policy/checked.ts";
import { canonicalArguments } from "../../policy/index.ts";
import type { StepUp as Step } from "../../wire/generated/wire.ts";
import { type PublicKey, type SignatureFault, verifySshsig } from "../sshsig/index.ts";
import type { World } from "../world.ts";
import { type ChallengeFault, Challenges } from "./challenges.ts";
import { challengeLine } from "./line.ts";
import type { KeyRing } from "./principals.ts";

/** What a signature is made for, so that one for the other is none. */
export const NAMESPACES = { stepUp: "stepup@capos", login: "login@capos" } as const;
/** Time enough to fetch a token from another room. */
export const MAX_VALID_MS = 600_000;

/** What every challenge of a session has in common. */
export interface Setting {
  readonly systemId: string;
  /** 32 hex digits. */
  readonly bootId: string;
  /** 64 hex digits. */
  readonly policyDigest: string;
  readonly session: string;
  readonly namespace: (typeof NAMESPACES)[keyof typeof NAMESPACES];
}

export interface Challenge {
  /** The exact characters to be signed. */
  readonly line: string;
  readonly nonce: Uint8Array;
}

export type StepUpFault = SignatureFault | ChallengeFault;

/** The principal who was there, or why nobody is known to have been. */
export type Proof =
  | { readonly ok: true; readonly principal: string }
  | { readonly ok: false; readonly fault: StepUpFault; readonly reason: string };

/** Asks for one line, of a step-up or a login, to be signed by one of some people. */
export class StepUp {
  readonly #setting: Setting;
  readonly #ring: KeyRing;
  readonly #world: World;
  readonly #challenges: Challenges;

  constructor(setting: Setting, ring: KeyRing, world: World) {
    this.#setting = setting;
    this.#ring = ring;
    this.#world = world;
    this.#challenges = new Challenges(world);
  }

  challenge({ conversation, turn, tool, arguments: given, validForMs }: Step): Checked<Challenge> {
    if (this.#ring.size === 0) return refuse(`session ${this.#setting.session} has no principal with a key`);
    if (validForMs < 1 || validForMs > MAX_VALID_MS) return refuse(`a challenge holds for 1 to ${MAX_VALID_MS} ms`);
    const canonical = canonicalArguments(given);
    if (!canonical.ok) return canonical;
    if (canonical.value.text !== given) return refuse("the arguments are not in their canonical form");
    const nonce = this.#challenges.nonce();
    const expiry = this.#world.now() + validForMs;
    const call = { arguments: given, conversation, expiry, nonce: Buffer.from(nonce).toString("hex"), tool, turn };
    const { namespace: _, ...setting } = this.#setting;
    const line = challengeLine({ ...setting, ...call });
    if (!line.ok) return line;
    this.#challenges.add(nonce, { line: line.value, expiry });
    return accept({ line: line.value, nonce });
  }

  /** Spends the challenge of this nonce, whatever the signature is. */
  prove(nonce: Uint8Array, signature: string): Proof {
    const taken = this.#challenges.take(nonce);
    if (!taken.ok) return { ok: false, fault: taken.fault, reason: SAID[taken.fault] };
    const keys = [...this.#ring.keys()];
    const { namespace } = this.#setting;
    const verdict = verifySshsig(signature, { message: Buffer.from(taken.line), namespace, keys });
    return verdict.ok ? { ok: true, principal: this.#nameOf(verdict.key) } : verdict;
  }

  /** The verifier returns one of the ring's own keys. */
  #nameOf(key: PublicKey): string {
    return this.#ring.get(key) ?? "";
  }
}

const SAID = {
  expired: "the challenge was answered too late",
  replayed: "the challenge was answered before",
  dropped: "newer challenges took its place",
  "unknown challenge": "this session was never given that challenge",
} as const satisfies Record<ChallengeFault, string>;
