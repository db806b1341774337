// Opens a locked session for a person who types the right passphrase. The passphrase is typed only at the console,
// which derives a key pair from it. The broker has the salt, the public key, and a signature over a single-use line: so
// messages between the processes cannot be replayed.
//
// The first person to log in sets the passphrase, because a new disk has none. If there are several principals, the person
// must name one, because two people may have chosen the same passphrase and must not learn this.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { readSigner } from "../sshsig/index.ts";
import type { SignatureRefusal, SignedLines } from "../step-up/signed-line.ts";
import type { Proof } from "../step-up/step-up.ts";
import type { World } from "../world.ts";
import { type Door, NO_PASSPHRASE, type PassphraseRequest, stepInto, TOO_OFTEN } from "./door.ts";
import { type Passphrases, SALT_BYTES, type Verifier } from "./passphrases.ts";

/** A principal, and the name under which the disk stores the verifier of the principal's passphrase. */
export interface Holder {
  readonly principal: string;
  readonly name: string;
}

interface Question {
  readonly holder: Holder;
  readonly nonce: Uint8Array;
  /** Verifier that the holder had when the challenge was issued; `undefined` if no passphrase was set then. */
  readonly verifier: Verifier | undefined;
  readonly newSalt: Uint8Array;
}

/** The session, the people who may open it, their passphrases, and the source of the challenges that they sign. */
interface PassphraseDoorParts {
  readonly session: string;
  readonly holders: readonly Holder[];
  readonly passphrases: Result<Passphrases>;
  readonly lines: SignedLines;
}

export class PassphraseDoor implements Door {
  readonly #session: string;
  readonly #holders: readonly Holder[];
  readonly #passphrases: Result<Passphrases>;
  readonly #lines: SignedLines;
  readonly #world: World;
  /** The newest question. A gate asks one question at a time, so an older question can no longer be answered. */
  #asked: Question | undefined;

  constructor({ session, holders, passphrases, lines }: PassphraseDoorParts, world: World) {
    this.#session = session;
    this.#holders = holders;
    this.#passphrases = passphrases;
    this.#lines = lines;
    this.#world = world;
  }

  issueChallenge(principal: string, purpose: "renew" | "open", validForMs: number): Result<PassphraseRequest> {
    const holder = this.#findHolder(principal);
    if (!holder.ok) return holder;
    if (!this.#passphrases.ok) return this.#passphrases;
    const { principal: who, name } = holder.value;
    const refusal = this.#passphrases.value.findRefusal(name);
    if (refusal !== undefined) return refuse(refusal);
    const verifier = this.#passphrases.value.findVerifier(name);
    const made = this.#lines.issueChallenge(
      stepInto(this.#session, validForMs, purpose === "renew" ? "/passphrase" : "/login", who),
    );
    if (!made.ok) return made;
    const isChosen = purpose === "renew" || verifier === undefined;
    const newSalt = isChosen ? this.#world.random(SALT_BYTES) : NO_PASSPHRASE.newSalt;
    this.#asked = { holder: holder.value, nonce: made.value.nonce, verifier, newSalt };
    return accept({ ...made.value, passphrase: { salt: verifier?.salt ?? NO_PASSPHRASE.salt, newSalt } });
  }

  prove(nonce: Uint8Array, signature: string): Proof {
    const asked = this.#asked;
    this.#asked = undefined;
    const spent = this.#lines.spend(nonce);
    if (!spent.ok) return spent;
    if (asked === undefined || Buffer.compare(asked.nonce, nonce) !== 0) {
      return refuseProof("newer challenges took its place");
    }
    if (!this.#passphrases.ok) return refuseProof(this.#passphrases.reason);
    return this.#judge(this.#passphrases.value, asked, spent.line, splitArmours(signature));
  }

  #judge(passphrases: Passphrases, asked: Question, line: string, signatures: readonly string[]): Proof {
    const { holder, verifier, newSalt } = asked;
    const { principal, name } = holder;
    // Since the question was asked, another session may have set a passphrase of this principal.
    if (passphrases.findVerifier(name)?.line !== verifier?.line)
      return refuseProof("another passphrase was chosen meanwhile");
    const isChosen = newSalt.length > 0;
    const known = verifier === undefined ? [] : [verifier];
    if (signatures.length !== known.length + Number(isChosen))
      return refuseProof("it is not signed as it was asked for");
    if (passphrases.findRefusal(name) !== undefined) return TOO_OFTEN;
    const failure = verifier === undefined ? undefined : passphrases.recordAttempt(name);
    if (failure !== undefined) return refuseProof(failure);
    for (const [index, { key }] of known.entries()) {
      const by = this.#lines.signerOf(line, signatures[index] ?? "", [key]);
      if (!by.ok) return by.fault === "wrong key" ? { ...by, reason: "that is not the passphrase" } : by;
    }
    const chosen = isChosen ? this.#choose(passphrases, asked, line, signatures.at(-1) ?? "") : undefined;
    if (chosen !== undefined) return chosen;
    if (!isChosen) passphrases.clear(name);
    return { ok: true, principal };
  }

  /** Sets a new passphrase; returns `undefined` once it is on the disk, otherwise the reason. */
  #choose(passphrases: Passphrases, asked: Question, line: string, signature: string): SignatureRefusal | undefined {
    const signer = readSigner(signature);
    if (!signer.ok) return { ok: false, fault: "malformed", reason: signer.reason };
    const by = this.#lines.signerOf(line, signature, [signer.value.key]);
    if (!by.ok) return by;
    const failure = passphrases.choose(asked.holder.name, { salt: asked.newSalt, ...signer.value });
    return failure === undefined ? undefined : refuseProof(failure);
  }

  #findHolder(principal: string): Result<Holder> {
    const [only, ...others] = this.#holders;
    if (principal === "") {
      if (only !== undefined && others.length === 0) return accept(only);
      return refuse("say who you are: /login NAME");
    }
    const holder = this.#holders.find((one) => one.principal === principal);
    return holder === undefined ? refuse("nobody of that name has a passphrase here") : accept(holder);
  }
}

function refuseProof(reason: string): SignatureRefusal {
  return { ok: false, fault: "dropped", reason };
}

/**
 * Splits a text into at most two signatures, which is the maximum that a challenge requests. Further signatures stay in
 * the last part, which is then invalid.
 */
function splitArmours(text: string): readonly string[] {
  const begin = "-----BEGIN SSH SIGNATURE-----";
  const second = text.indexOf(begin, begin.length);
  return second < 0 ? [text] : [text.slice(0, second), text.slice(second)];
}
