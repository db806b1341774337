// Issues lines that a person is asked to sign, and verifies the signatures over them. The caller decides whose keys
// count.

import { canonicalizeArguments } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { StepUp as Step } from "../../../lib/wire/generated/wire.ts";
import { type PublicKey, type SignatureFault, verifySshsig } from "../sshsig/index.ts";
import type { World } from "../world.ts";
import { type ChallengeFault, Challenges } from "./challenges.ts";
import { renderChallengeLine } from "./line.ts";

/** Purposes of a signature. A signature for one purpose is not valid for the other. */
export const NAMESPACES = { stepUp: "stepup@capos", login: "login@capos" } as const;
/**
 * Maximum validity of a challenge in milliseconds: a person has time to fetch the device with the key from another
 * room.
 */
export const MAX_VALID_MS = 600_000;

/** Fields that all challenges of a session share. */
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
  /** The exact characters to sign. */
  readonly line: string;
  readonly nonce: Uint8Array;
}

type ProofFault = SignatureFault | ChallengeFault;

export interface SignatureRefusal {
  readonly ok: false;
  readonly fault: ProofFault;
  readonly reason: string;
}

/** Result of `spend`: the line that the person had to sign, or why the challenge is not valid. */
type Spent = { readonly ok: true; readonly line: string } | SignatureRefusal;

export class SignedLines {
  readonly #setting: Setting;
  readonly #world: World;
  readonly #challenges: Challenges;

  constructor(setting: Setting, world: World) {
    this.#setting = setting;
    this.#world = world;
    this.#challenges = new Challenges(world);
  }

  issueChallenge({ conversation, turn, tool, arguments: given, validForMs }: Step): Result<Challenge> {
    if (validForMs < 1 || validForMs > MAX_VALID_MS) return refuse(`a challenge holds for 1 to ${MAX_VALID_MS} ms`);
    const canonical = canonicalizeArguments(given);
    if (!canonical.ok) return canonical;
    if (canonical.value.text !== given) return refuse("the arguments are not in their canonical form");
    const nonce = this.#challenges.createNonce();
    const expiry = this.#world.now() + validForMs;
    const call = { arguments: given, conversation, expiry, nonce: Buffer.from(nonce).toString("hex"), tool, turn };
    const { namespace: _, ...setting } = this.#setting;
    const line = renderChallengeLine({ ...setting, ...call });
    if (!line.ok) return line;
    this.#challenges.add(nonce, { line: line.value, expiry });
    return accept({ line: line.value, nonce });
  }

  /** Invalidates the challenge, whether or not its signature is valid. */
  spend(nonce: Uint8Array): Spent {
    const taken = this.#challenges.take(nonce);
    return taken.ok ? taken : { ok: false, fault: taken.fault, reason: SAID[taken.fault] };
  }

  /** Returns which of the keys signed the line of an invalidated challenge. */
  signerOf(
    line: string,
    signature: string,
    keys: readonly PublicKey[],
  ): { readonly ok: true; readonly key: PublicKey } | SignatureRefusal {
    const { namespace } = this.#setting;
    return verifySshsig(signature, { message: Buffer.from(line), namespace, keys });
  }
}

const SAID = {
  expired: "the challenge was answered too late",
  replayed: "the challenge was answered before",
  dropped: "newer challenges took its place",
  "unknown challenge": "this session was never given that challenge",
} as const satisfies Record<ChallengeFault, string>;
