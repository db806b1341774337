// Sends requests to one provider, through the one endpoint that this process holds. This module also interprets the
// status of answers, and waits as the provider asks.

import { readJson, recordIn, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { HttpExchange } from "../../../lib/wire/generated/egress.ts";
import type { Connection } from "../../../lib/wire/index.ts";
import type { Scheduler } from "../turns.ts";
import { type Dialect, type DialectRequest, formatErrorWord } from "./dialect.ts";
import {
  FIRST_WORD_MS,
  MOST_ANSWER_BYTES,
  MOST_LINE_BYTES,
  MOST_REPEATS,
  MOST_REQUEST_BYTES,
  MOST_WAIT_MS,
  PATIENCE_MS,
  SILENCE_MS,
} from "./limits.ts";
import { describeError } from "./openai.ts";
import type { Bytes } from "./pieces.ts";

/** The machine's clock since its start, in milliseconds; tests pass their own. */
interface Clock {
  readonly now: () => number;
  readonly after: Scheduler;
}

/** Account that pays for the tokens which a provider counts. */
interface Payer {
  /** Records that the request is sent to the provider; until the provider reports its count, the maximum is charged. */
  readonly sends: () => void;
  /** Records that the provider did not accept the request, and charges nothing. */
  readonly sentNothing: () => void;
}

export class Provider {
  readonly #endpoint: Connection;
  readonly #dialect: Dialect;
  readonly #clock: Clock;
  /** Time before which the provider accepts no requests. */
  #closedUntil = 0;

  constructor(endpoint: Connection, dialect: Dialect, clock: Clock) {
    this.#endpoint = endpoint;
    this.#dialect = dialect;
    this.#clock = clock;
  }

  /** Returns the body of a request. Fails if the body is too long. */
  request(asked: DialectRequest): Result<string> {
    const body = renderCanonicalJson(this.#dialect.request(asked));
    return Buffer.byteLength(body) > MOST_REQUEST_BYTES
      ? refuse(`the request is larger than ${MOST_REQUEST_BYTES} bytes`)
      : accept(body);
  }

  /** Yields the bytes of an answer. After the last byte the generator returns the reason of a failure, or `undefined`. */
  async *answer(body: string, stop: AbortSignal, payer: Payer): Bytes {
    try {
      const begun = await this.#begin(body, stop, payer);
      if (begun !== undefined) return begun;
      let size = 0;
      for (;;) {
        const next = await this.#endpoint.call(HttpExchange.methods.read, {}, { signal: stop, timeoutMs: SILENCE_MS });
        if (!next.ok) return next.code === "timedOut" ? "it fell silent" : next.reason;
        if (next.value.end) return undefined;
        size += next.value.bytes.length;
        if (size > MOST_ANSWER_BYTES) return `it sends more than ${MOST_ANSWER_BYTES} bytes`;
        yield next.value.bytes;
      }
    } finally {
      void this.#endpoint.call(HttpExchange.methods.stop, {});
    }
  }

  /**
   * Sends the request. Returns `undefined` once the answer is under way, otherwise the reason. Retries a request that the provider
   * refused temporarily, because such a request was not processed.
   */
  async #begin(body: string, stop: AbortSignal, payer: Payer): Promise<string | undefined> {
    for (let repeats = 0; ; repeats += 1) {
      const wait = this.#closedUntil - this.#clock.now();
      if (wait > PATIENCE_MS || (wait > 0 && repeats > MOST_REPEATS)) return describeDelay(wait);
      if (wait > 0) await this.#pause(wait, stop);
      if (stop.aborted) return "nobody waits for it any more";
      payer.sends();
      const options = { signal: stop, timeoutMs: FIRST_WORD_MS };
      const head = await this.#endpoint.call(HttpExchange.methods.ask, { body }, options);
      if (!head.ok) return head.code === "timedOut" ? "it does not answer" : head.reason;
      const { status, contentType, retryAfter, unsent } = head.value;
      if (unsent !== "" || isUnread(status)) payer.sentNothing();
      if (unsent !== "") return unsent;
      if (status === 200) return isOf(contentType, this.#dialect) ? undefined : WRONG_TYPE;
      const later = status === 429 || status === 503 ? waitIn(retryAfter) : undefined;
      if (later === undefined) return `it ${describeStatus(status)}${await this.#readErrorWord(stop)}`;
      this.#closedUntil = this.#clock.now() + later;
      // `retry-after: 0` lets this process repeat the request without a pause, so only MOST_REPEATS limits the
      // repetitions.
      if (later === 0 && repeats >= MOST_REPEATS) return describeDelay(0);
    }
  }

  /** Returns the word for an error in a small JSON answer; empty if there is none. */
  async #readErrorWord(stop: AbortSignal): Promise<string> {
    const read = await this.#endpoint.call(HttpExchange.methods.read, {}, { signal: stop, timeoutMs: SILENCE_MS });
    if (!read.ok || read.value.bytes.length > MOST_LINE_BYTES) return "";
    const json = readJson(Buffer.from(read.value.bytes).toString("utf8"));
    if (!json.ok) return "";
    const { error } = recordIn(json.value);
    return describeError(error) || formatErrorWord(error);
  }

  #pause(milliseconds: number, stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = this.#clock.after(milliseconds, resolve);
      const handleStop = (): void => {
        end();
        resolve();
      };
      if (stop.aborted) handleStop();
      else stop.addEventListener("abort", handleStop, { once: true });
    });
  }
}

/**
 * Statuses with which the provider refuses without reading the request: no access, no such address, or a request to
 * wait.
 */
const UNREAD: ReadonlySet<number> = new Set([401, 403, 404, 429, 503]);
const WRONG_TYPE = "it answers in a form that was not asked for";

function describeDelay(wait: number): string {
  return `it wants to be asked again later, in ${Math.ceil(wait / 1000)} s`;
}

function isOf(contentType: string, dialect: Dialect): boolean {
  return contentType.split(";")[0]?.trim().toLowerCase() === dialect.contentType;
}

/**
 * Returns the milliseconds of a Retry-After in whole seconds; `undefined` for any other text. A date would need the time of day, which
 * this process does not know.
 */
function waitIn(retryAfter: string): number | undefined {
  return /^\d{1,9}$/.test(retryAfter) ? Math.min(Number(retryAfter) * 1000, MOST_WAIT_MS) : undefined;
}

/**
 * Returns whether the provider did not read the request. With any other status the provider may charge for the request, for example
 * because a filter has read the prompt, or because the answer came too late.
 */
function isUnread(status: number): boolean {
  return (status >= 300 && status < 400) || UNREAD.has(status);
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `sends elsewhere (${status}), and nobody goes there`;
  if (status === 401 || status === 403) return `does not let this system in (${status})`;
  if (status === 404) return `knows no such address or model (${status})`;
  if (status === 429) return `was asked too often (${status})`;
  if (status >= 500) return `failed (${status})`;
  return `does not take the request (${status})`;
}
