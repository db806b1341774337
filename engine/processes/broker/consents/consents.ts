// Stores consents of a person that are valid for more than one call. Each consent is bound to a conversation, a row, a
// tool, a class of arguments and a label, and optionally to a turn. A consent expires by the boot clock, and at the
// latest when the machine stops.

import { type IndexedTables, isOpened, mayBeRemembered } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Row, Tool } from "../../../lib/wire/generated/policy.ts";
import type { Consent, HeldConsent } from "../../../lib/wire/generated/wire.ts";
import type { World } from "../world.ts";

/** Lifetime of a consent in milliseconds: a person who consented an hour ago may have left the machine. */
export const CONSENT_MS = 3_600_000;
/**
 * Maximum number of remembered consents: a person cannot keep track of more, and each of them is a line of `/grants`.
 */
export const MAX_CONSENTS = 64;
/**
 * Used in place of a tool's name when a person is asked to let a backend answer. The question follows a command of the person, or is asked
 * because no other backend may answer.
 */
export const MODEL_STEP = "/model";
/**
 * Maximum UTF-16 units of `alike`, and of `words`, in a consent: a page with very many conditions must not fill this
 * process's memory.
 */
const MAX_TEXT = 4096;

interface Held {
  readonly number: number;
  readonly consent: Consent;
  /** Whether the consent is valid in its turn only, and not in later turns of the conversation. */
  readonly isOfTurn: boolean;
  /** Milliseconds of the boot clock from which on the consent is void. */
  readonly expiry: number;
}

export class Consents {
  readonly #tables: IndexedTables;
  readonly #world: World;
  readonly #held = new Map<number, Held>();
  #issued = 0;

  constructor(tables: IndexedTables, world: World) {
    this.#tables = tables;
    this.#world = world;
  }

  /**
   * Stores a consent and returns its number. Fails if the consent is valid for one call only. `row` and `tool` are the
   * row and the tool that the consent names.
   */
  remember(consent: Consent, row: Row, tool: Tool): Result<number> {
    if (!mayBeRemembered(this.#tables, row, tool)) return refuse(`consent to ${tool.name} is for one call here`);
    return this.#add(consent, row.remember);
  }

  /**
   * Stores a consent for the backend that `consent.alike` names. The backend may answer as long as the consent is
   * valid. Fails if the backend is not behind a gate in this row.
   */
  lend(consent: Consent, row: Row): Result<number> {
    const index = this.#tables.backends.findIndex(({ name }) => name === consent.alike);
    const choice = row.backends.find(({ backend }) => backend === index);
    if (choice === undefined || !isOpened(choice)) return refuse("no such backend is behind a gate here");
    return this.#add(consent, "conversation");
  }

  #add(consent: Consent, lasting: Row["remember"]): Result<number> {
    if (consent.alike.length > MAX_TEXT || consent.words.length > MAX_TEXT) return refuse("it is too long to be kept");
    this.#forgetVoid(consent);
    if (this.#held.size >= MAX_CONSENTS) return refuse(`${MAX_CONSENTS} consents are held; /revoke takes some back`);
    this.#issued += 1;
    const number = this.#issued;
    const expiry = this.#world.now() + CONSENT_MS;
    this.#held.set(number, { number, consent, isOfTurn: lasting === "turn", expiry });
    return accept(number);
  }

  /** Returns the number of the stored consent that covers the call; 0 if there is none. */
  recall(consent: Consent): number {
    return this.#findHeld(consent).find((one) => isAlike(one.consent, consent))?.number ?? 0;
  }

  /** Returns all consents that are valid in this conversation, turn, row and label. */
  listHeld(consent: Consent): readonly HeldConsent[] {
    const now = this.#world.now();
    return this.#findHeld(consent).map(({ number, consent: { tool, words }, expiry }) => {
      return { number, tool, words, forMs: BigInt(expiry - now) };
    });
  }

  /** Revokes a consent, or all consents if `number` is 0, and returns the revoked numbers. */
  takeBack(number: number): readonly number[] {
    const taken = number === 0 ? [...this.#held.keys()] : [...this.#held.keys()].filter((one) => one === number);
    for (const one of taken) this.#held.delete(one);
    return taken;
  }

  #findHeld(place: Consent): readonly Held[] {
    const now = this.#world.now();
    return [...this.#held.values()].filter((held) => isInForce(held, place, now));
  }

  /** Removes consents of past turns and expired ones; they cannot become valid again. */
  #forgetVoid({ conversation, turn }: Consent): void {
    const now = this.#world.now();
    for (const { number, consent, isOfTurn, expiry } of this.#held.values()) {
      const isPast = isOfTurn && consent.conversation === conversation && consent.turn < turn;
      if (isPast || now >= expiry) this.#held.delete(number);
    }
  }
}

function isInForce({ consent, isOfTurn, expiry }: Held, place: Consent, now: number): boolean {
  return (
    now < expiry &&
    consent.conversation === place.conversation &&
    (!isOfTurn || consent.turn === place.turn) &&
    consent.task === place.task &&
    consent.phase === place.phase &&
    consent.confidentiality === place.confidentiality &&
    consent.integrity === place.integrity &&
    consent.compartments === place.compartments
  );
}

function isAlike(held: Consent, asked: Consent): boolean {
  return held.tool === asked.tool && held.alike === asked.alike;
}
