// The loop's own copy of its conversation: the newest sayings verbatim, and a summary of older ones. Every saying is also sent to
// the store; if the store does not store a saying, the person is told.

import type { ConversationLogRecentResults, Saying } from "../../lib/wire/generated/conversations.ts";
import type { History } from "./history.ts";
import { NOTHING_SAID } from "./history.ts";
import { type Summarising, summarizeEvicted } from "./summary.ts";
import type { Tokens } from "./tokens.ts";
import {
  type AssembledPrompt,
  assembleMessages,
  findEvicted,
  type Limits,
  recallShareOf,
  subtractRecall,
} from "./window.ts";

/** Estimated bytes of text per token, to limit a query to the store; the tokens of its result are counted afterwards. */
const BYTES_PER_TOKEN = 4;

export class Transcript {
  readonly history: History;
  #sayings: readonly Saying[] = [];
  #summary: Saying | undefined;
  #lost = 0n;
  /**
   * Evicted sayings recalled for the turn in progress, best first. `#recalledFor` identifies the request to the store
   * that returned them: the person's line, and the oldest saying that the model saw then.
   */
  #recalled: readonly Saying[] = [];
  #recalledFor = "";
  /** Sequence numbers of the sayings that were found only by meaning. */
  #byMeaning: readonly bigint[] = [];
  #isRecallOff = false;
  #remarks: string[] = [];

  constructor(history: History) {
    this.history = history;
  }

  /** Loads the earlier sayings, unless they are known already. */
  async begin(): Promise<void> {
    const before = await this.history.begin();
    if (before !== undefined) this.#sayings = [...this.#startWith(before), ...this.#sayings];
  }

  async add(...sayings: readonly Saying[]): Promise<void> {
    this.#sayings = [...this.#sayings, ...(await this.history.keep(sayings))];
  }

  /** Returns messages for the person, each message once. */
  takeRemarks(): readonly string[] {
    return [...this.history.takeRemarks(), ...this.#remarks.splice(0)];
  }

  /** Returns the sayings that must be evicted for a request to fit. */
  findExcess(limits: Limits, tokens: Tokens): Promise<readonly Saying[]> {
    const keepsShare = this.#hasEvicted && !this.#isRecallOff;
    return findEvicted(this.#content, keepsShare ? subtractRecall(limits) : limits, tokens);
  }

  /**
   * Asks the store for evicted sayings that match the person's newest words: once for each line, and again after each
   * eviction.
   */
  async recall(limits: Limits): Promise<void> {
    const asked = this.#sayings.findLast(({ role }) => role === "user");
    if (asked === undefined || !this.#hasEvicted) return;
    const { firstKept } = this.account;
    // Text that was not stored has no sequence number.
    const wanted = `${asked.turn} ${asked.sequence} ${firstKept}`;
    if (wanted === this.#recalledFor) return;
    const most = recallShareOf(limits);
    const mostBytes = Math.min(most.bytes, most.tokens * BYTES_PER_TOKEN);
    const { sayings, isOff, byMeaning } = await this.history.recall(asked.text, firstKept, mostBytes);
    this.#recalledFor = wanted;
    this.#isRecallOff = isOff;
    this.#recalled = sayings;
    this.#byMeaning = byMeaning;
    if (sayings.length > 0) this.#remarks.push(describeRecalled(sayings, byMeaning));
  }

  /** Removes sayings from the model's view; a summary replaces them, if the model gives one. */
  async evict(evicted: readonly Saying[], summarising: Summarising): Promise<void> {
    const gone = new Set(evicted);
    this.#sayings = this.#sayings.filter((saying) => !gone.has(saying));
    const stored = evicted.filter(({ sequence }) => sequence > 0n);
    const lost = evicted.length - stored.length;
    this.#lost += BigInt(lost);
    const through = stored.at(-1)?.sequence ?? this.#summary?.through ?? 0n;
    const text = await summarizeEvicted(evicted, this.#summary, summarising);
    if (text !== undefined) await this.#summarise(text, through);
    this.#remarks.push(...describeEvicted(stored.length, lost, text !== undefined ? "made" : "none"));
  }

  /** Returns a request's messages, or `undefined` if they do not fit even after they are shortened. */
  assemble(limits: Limits, tokens: Tokens): Promise<AssembledPrompt | undefined> {
    return assembleMessages(this.#content, limits, tokens);
  }

  /** Returns those recalled sayings that were found by meaning and by no word of the request. */
  filterFoundByMeaning(recalled: readonly bigint[]): readonly bigint[] {
    return recalled.filter((sequence) => this.#byMeaning.includes(sequence));
  }

  /**
   * Returns the oldest saying that the model sees unchanged, and the last one that the summary covers. `lostSayings` is
   * the number of sayings that were evicted but not stored.
   */
  get account() {
    return {
      firstKept: this.#sayings.find(({ sequence }) => sequence > 0n)?.sequence ?? 0n,
      summarisedThrough: this.#summary?.through ?? 0n,
      lostSayings: this.#lost,
    };
  }

  get #content() {
    return { summary: this.#summary, sayings: this.#sayings, recalled: this.#recalled };
  }

  /** Returns whether a stored saying is not shown. */
  get #hasEvicted(): boolean {
    return this.account.firstKept > 1n;
  }

  async #summarise(text: string, through: bigint): Promise<void> {
    const summary: Saying = { ...NOTHING_SAID, role: "assistant", source: "summary", text, through };
    // If the store has none of the summarised sayings, their summary is not stored either: a restarted loop gets none of them from the store.
    const [kept] = through === 0n ? [summary] : await this.history.keep([summary]);
    this.#summary = kept;
  }

  /** Returns the sayings to start with; those that a summary replaces are left out. */
  #startWith({ sayings, summary }: ConversationLogRecentResults): readonly Saying[] {
    this.#summary = summary.sequence === 0n ? undefined : summary;
    const after = sayings.filter(({ sequence }) => sequence > summary.through);
    const first = after.findIndex(({ role }) => role === "user");
    return first === -1 ? [] : after.slice(first);
  }
}

function describeRecalled(sayings: readonly Saying[], byMeaning: readonly bigint[]): string {
  const numbers = sayings.map(({ sequence }) => sequence).sort((a, b) => Number(a - b));
  const words = numbers.map((number) => (byMeaning.includes(number) ? `${number} by meaning` : number));
  return `recalled for this answer: saying ${words.join(", ")}; /context says how much of it is shown, /recall off ends it`;
}

function describeEvicted(stored: number, lost: number, summary: "made" | "none"): readonly string[] {
  const made =
    summary === "made" ? "the model goes on with its own summary of them" : "the model has no summary of them";
  return [
    ...(stored === 0 ? [] : [`${stored} older sayings made room; ${made}, and /search finds them`]),
    ...(lost === 0 ? [] : [`${lost} older sayings are gone for good: they were not kept`]),
  ];
}
