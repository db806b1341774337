import { AnyCancel, type Cancel, Canceller } from "../../../lib/wire/index.ts";

/** A revoked service, or the numbers of revoked consents. */
type TakenBack = { readonly service: string } | { readonly consents: readonly number[] };

/** Empty list, shared by all calls during which no consent was revoked. */
const NONE: readonly number[] = [];

/** The service and the consent that a call depends on, and whether one of them was revoked while the call ran. */
export class Withdrawal {
  /** Fires when the call is cancelled, its turn ends, or its service or consent is revoked. */
  readonly signal: Cancel;
  readonly #own = new Canceller();
  #service: string | undefined;
  /** Number of the consent under which the call runs; 0 if there is none. */
  #consent = 0;
  /** Consents revoked so far. The consent of the call is compared with them as soon as it is known. */
  #takenBack: readonly number[] = NONE;
  #reason: string | undefined;

  /** `wish` fires when the proposer cancels the call, `turn` when the turn of the call ends. */
  constructor(wish: Cancel, turn: Cancel) {
    this.signal = new AnyCancel([wish, turn, this.#own]);
  }

  /** Reason why the call ends early; `undefined` if neither its service nor its consent was revoked. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Records that the call uses this service from now on. */
  runOn(service: string): void {
    this.#service = service;
  }

  /** Records that the call runs under this consent from now on; 0 means that it runs under no consent. */
  runUnder(consent: number): void {
    this.#consent = consent;
    this.#endIfConsentIsLost();
  }

  /** Ends the call if it depends on the revoked service or consents. */
  takeBack(taken: TakenBack): void {
    if ("service" in taken) {
      if (taken.service === this.#service) this.#end(`${taken.service} was revoked`);
      return;
    }
    this.#takenBack = [...this.#takenBack, ...taken.consents];
    this.#endIfConsentIsLost();
  }

  #endIfConsentIsLost(): void {
    const isLost = this.#consent !== 0 && this.#takenBack.includes(this.#consent);
    if (isLost) this.#end(`consent ${this.#consent} was taken back`);
  }

  #end(reason: string): void {
    this.#reason ??= reason;
    this.#own.abort();
  }
}
