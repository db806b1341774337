// Keeps the permits of one session in the process of a model. The session's gate issues one permit for each answer;
// the loop can only use the permit. The worker checks the permit when a request begins, and counts the tokens of the
// answer in the permit: a loop's claims about tokens are never trusted.
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Masked, MessageRecord } from "../../lib/wire/generated/audit.ts";
import type { InferenceRequest, StreamChunk, TokenUsage } from "../../lib/wire/generated/capos.ts";
import type { Redaction } from "../../lib/wire/generated/policy.ts";
import { type Failure, makeFailure } from "../../lib/wire/index.ts";
import { MessageRecorder } from "./message-recorder.ts";
import { redactRequest, redactTexts } from "./redacting.ts";

/** Maximum number of open permits: an honest gate has one, and beyond the maximum the oldest is withdrawn. */
export const MAX_PERMITS = 4;
/** Maximum number of ended permits whose usage was not requested yet. */
const MAX_ENDED = 16;
const NOTHING: TokenUsage = { promptTokens: 0, outputTokens: 0 };

/** The right to one answer. The holder of the right counts tokens, and stops at the limit. */
export interface Permit {
  readonly mostTokens: number;
  /** Fires when the answer must end: its tokens are used up, the gate withdrew it, or `end` was called. */
  readonly signal: AbortSignal;
  /**
   * Counts the tokens of the prompt against the allowance. Returns false if they exceed it; the permit has then ended.
   * `charged` is the number of prompt tokens that are paid for, if higher than `tokens`, unless the provider counts
   * even more.
   */
  readonly prompt: (tokens: number, charged?: number) => boolean;
  /**
   * Announces the maximum usage of the answer, just before the model is asked. The maximum is counted if this process
   * dies before it can report the usage. Resolves with true after the gate has acknowledged that it noted the maximum,
   * or with false if
   * the permit ended before.
   */
  readonly asks: (most: TokenUsage) => Promise<boolean>;
  /**
   * Counts output that is about to be sent. Returns false if the output exceeds the allowance; the output must not be sent in this
   * case, and the permit has ended.
   */
  readonly output: (tokens: number) => boolean;
  /**
   * States what is charged if the answer ends before the provider has reported its count of tokens. The caller passes
   * the maximum usage when it sends the request, and zero if the provider did not accept the request.
   */
  readonly owes: (most: TokenUsage) => void;
  /**
   * Reports the provider's count before the end of the answer. A count above the local one is charged, even beyond the
   * allowance.
   */
  readonly counted: (usage: TokenUsage) => void;
  /** Returns the usage that is charged if the answer ends now. */
  readonly used: () => TokenUsage;
  /**
   * Applies the page's redactions to a request, and returns the request that the model may receive. Notes its messages
   * for the record. Fails if the request cannot be searched or masked; the model must not receive it in this case.
   */
  readonly hear: (request: InferenceRequest) => Result<InferenceRequest>;
  /** Records a piece of the answer that is passed on. */
  readonly said: (chunk: StreamChunk) => void;
  /** Ends the answer; it may be called any number of times. */
  readonly end: () => void;
  /**
   * Returns the failure that the loop gets if the answer was cut off, otherwise `undefined`. Without a failure, the
   * loop could take a part of a call for the whole call.
   */
  readonly cut: () => Failure | undefined;
}

export class Permits {
  readonly #open = new Map<string, OnePermit>();
  readonly #ended = new Map<string, Ended>();

  /**
   * Permits one answer under a nonce, without waiting until the gate acknowledges the answer's maximum usage. Returns
   * false if the nonce is empty or was allowed before.
   */
  allow(nonce: Uint8Array, mostTokens: number, redactions: readonly Redaction[] = []): boolean {
    const isNew = this.allowFromAfar(nonce, mostTokens, redactions);
    if (isNew) this.acknowledgeUsage(nonce);
    return isNew;
  }

  /** Permits one answer under a nonce. The request is not sent to the model before `acknowledgeUsage` was called. */
  allowFromAfar(nonce: Uint8Array, mostTokens: number, redactions: readonly Redaction[] = []): boolean {
    const key = encodeKey(nonce);
    if (nonce.length === 0 || this.#open.has(key) || this.#ended.has(key)) return false;
    const [oldest] = this.#open.values();
    if (this.#open.size >= MAX_PERMITS) oldest?.withdraw();
    const permit = new OnePermit({ mostTokens, redactions }, (ended) => this.#close(key, ended));
    this.#open.set(key, permit);
    return true;
  }

  /** Returns the permit of this nonce, only once; `undefined` if there is none, or if it was used or withdrawn. */
  begin(nonce: Uint8Array): Permit | undefined {
    const permit = this.#open.get(encodeKey(nonce));
    return permit?.take() === true ? permit : undefined;
  }

  /** Returns the usage under a nonce, once its answer has ended; `undefined` if the nonce was never allowed or has expired. */
  async awaitUsage(nonce: Uint8Array): Promise<TokenUsage | undefined> {
    const key = encodeKey(nonce);
    return this.#open.get(key)?.usage ?? this.#ended.get(key)?.usage;
  }

  /**
   * Returns texts in the form that the model may receive under all open permits. Fails if no permit is open, or if
   * the texts cannot be searched.
   */
  redactTexts(texts: readonly string[]): Result<readonly string[]> {
    const open = [...this.#open.values()];
    if (open.length === 0) return refuse("the gate allows no answer now");
    return redactTexts(
      open.flatMap(({ redactions }) => redactions),
      texts,
    );
  }

  /**
   * Waits until the request under a nonce is about to be sent to the model, and returns the maximum usage of the
   * answer. If the answer ended before its request was sent, returns the answer's usage. Returns `undefined` if the
   * nonce was never allowed or has expired.
   */
  async awaitMostUsage(nonce: Uint8Array): Promise<TokenUsage | undefined> {
    const key = encodeKey(nonce);
    return this.#open.get(key)?.most ?? this.#ended.get(key)?.usage;
  }

  /** Records that the gate has noted the answer's maximum usage. */
  acknowledgeUsage(nonce: Uint8Array): void {
    this.#open.get(encodeKey(nonce))?.note();
  }

  /** Returns the records of the messages and of the answer, once the answer has ended. */
  getRecords(nonce: Uint8Array): readonly MessageRecord[] {
    return this.#ended.get(encodeKey(nonce))?.told ?? [];
  }

  /** Returns which parts of the answer's request were masked, after the answer has ended. */
  getMasked(nonce: Uint8Array): readonly Masked[] {
    return this.#ended.get(encodeKey(nonce))?.masked ?? [];
  }

  withdraw(nonce: Uint8Array): void {
    this.#open.get(encodeKey(nonce))?.withdraw();
  }

  /** Withdraws all permits when the gate has disconnected. */
  withdrawAll(): void {
    for (const permit of [...this.#open.values()]) permit.withdraw();
  }

  #close(key: string, ended: Ended): void {
    this.#open.delete(key);
    this.#ended.set(key, ended);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

interface Ended {
  readonly usage: TokenUsage;
  readonly told: readonly MessageRecord[];
  readonly masked: readonly Masked[];
}

/** Allowance that a gate grants with a permit. */
interface Allowance {
  readonly mostTokens: number;
  readonly redactions: readonly Redaction[];
}

class OnePermit implements Permit {
  readonly mostTokens: number;
  readonly redactions: readonly Redaction[];
  readonly #controller = new AbortController();
  readonly #told = Promise.withResolvers<TokenUsage>();
  readonly #most = Promise.withResolvers<TokenUsage>();
  readonly #noted = Promise.withResolvers<void>();
  readonly #onEnd: (ended: Ended) => void;
  readonly #messages = new MessageRecorder();
  #isTaken = false;
  #isEnded = false;
  #cut: Failure | undefined;
  /** Tokens already used of the allowance. */
  #taken = 0;
  #promptTokens = 0;
  #outputTokens = 0;
  /** Maximum usage that the provider may charge for the request; used until the provider has reported its count. */
  #owed = NOTHING;
  #masked: readonly Masked[] = [];

  constructor({ mostTokens, redactions }: Allowance, onEnd: (ended: Ended) => void) {
    this.mostTokens = mostTokens;
    this.redactions = redactions;
    this.#onEnd = onEnd;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get usage(): Promise<TokenUsage> {
    return this.#told.promise;
  }

  get most(): Promise<TokenUsage> {
    return this.#most.promise;
  }

  take(): boolean {
    const isFirst = !this.#isTaken;
    this.#isTaken = true;
    return isFirst;
  }

  readonly prompt = (tokens: number, charged = tokens): boolean => {
    if (!this.#takeTokens(tokens)) return false;
    this.#promptTokens += Math.max(tokens, charged);
    return true;
  };

  readonly asks = async (most: TokenUsage): Promise<boolean> => {
    this.#most.resolve(most);
    await this.#noted.promise;
    return !this.#isEnded;
  };

  note(): void {
    this.#noted.resolve();
  }

  readonly output = (tokens: number): boolean => {
    if (!this.#takeTokens(tokens)) return false;
    this.#outputTokens += tokens;
    return true;
  };

  readonly owes = (most: TokenUsage): void => {
    if (!this.#isEnded) this.#owed = most;
  };

  readonly counted = ({ promptTokens, outputTokens }: TokenUsage): void => {
    if (this.#isEnded) return;
    this.#owed = NOTHING;
    this.#promptTokens = Math.max(this.#promptTokens, promptTokens);
    this.#outputTokens = Math.max(this.#outputTokens, outputTokens);
  };

  readonly used = (): TokenUsage => ({
    promptTokens: Math.max(this.#promptTokens, this.#owed.promptTokens),
    outputTokens: Math.max(this.#outputTokens, this.#owed.outputTokens),
  });

  readonly hear = (request: InferenceRequest): Result<InferenceRequest> => {
    const redacted = redactRequest(this.redactions, request);
    if (!redacted.ok) return redacted;
    this.#masked = redacted.value.masked;
    this.#messages.recordMessages(redacted.value.request.messages);
    return accept(redacted.value.request);
  };

  readonly said = (chunk: StreamChunk): void => this.#messages.recordChunk(chunk);

  withdraw(): void {
    if (!this.#isEnded) this.#cut = makeFailure("cancelled", "the gate ended this answer");
    this.end();
  }

  readonly cut = (): Failure | undefined => this.#cut;

  readonly end = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const usage = this.used();
    this.#onEnd({ usage, told: this.#messages.listRecords(), masked: this.#masked });
    this.#told.resolve(usage);
    this.#most.resolve(usage);
    this.#noted.resolve();
    this.#controller.abort();
  };

  #takeTokens(tokens: number): boolean {
    if (this.#isEnded) return false;
    if (this.#taken + tokens <= this.mostTokens) {
      this.#taken += tokens;
      return true;
    }
    this.#cut = makeFailure("failed", `the page's tokens are used up: ${this.mostTokens} were left for this answer`);
    this.end();
    return false;
  }
}

function encodeKey(nonce: Uint8Array): string {
  return Buffer.from(nonce).toString("hex");
}
