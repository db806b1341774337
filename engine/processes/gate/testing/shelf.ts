// A simulated store of conversations whose answers a test sets, and a person's commands about conversations.
import type {
  ConversationStoreListResults,
  ConversationStoreSearchResults,
  ConversationStoreStatusResults,
  Saying,
  Window,
} from "../../../lib/wire/generated/conversations.ts";
import { ConversationStore } from "../../../lib/wire/generated/conversations.ts";
import { Supervisor } from "../../../lib/wire/generated/wire.ts";
import { implement, makeFailure } from "../../../lib/wire/index.ts";
import { Archive } from "../archive.ts";
import { answerCommand, type CommandParts } from "../commands/index.ts";
import { never } from "./calls.ts";
import { held } from "./neighbours.ts";
import { Stage, type Surroundings } from "./stage.ts";

const WINDOW: Window = {
  ...{ contextTokens: 4096, budgetTokens: 3000, usedTokens: 1000, isEstimated: false, firstKept: 1n },
  ...{ summarisedThrough: 0n, cutSayings: 0, lostSayings: 0n, toolTokens: 300, systemTokens: 200 },
  ...{ recalled: [], recalledTokens: 0, recalledByMeaning: [] },
};

type Method = keyof typeof ConversationStore.methods | "restart";
type Refused = Method | `${Method} ${string}`;

export class Shelf {
  readonly stage: Stage;
  readonly parts: CommandParts;
  /** Sayings by the name of the conversation. */
  readonly sayings = new Map<string, readonly Saying[]>();
  listed: ConversationStoreListResults = { conversations: [], total: 0 };
  found: ConversationStoreSearchResults = { hits: [], byMeaning: false, note: "" };
  window = WINDOW;
  recalls = true;
  recalled = { conversation: "", sequences: [] as readonly bigint[] };
  status: ConversationStoreStatusResults = {
    ...{ durable: true, reason: "", bytes: 1025n, mostBytes: 4096n, conversations: 2, moved: "", meaning: "" },
  };
  /** The store's method whose calls fail, for all conversations or for one. */
  refuses: Refused | undefined;
  /** Maximum number of sayings in one answer. */
  piece = 2;
  /** Requests to the store, in order. */
  readonly asked: string[] = [];

  constructor(surroundings: Surroundings = {}) {
    this.stage = new Stage(surroundings);
    const archive = new Archive({ store: held(this.#store()), supervisor: held(this.#supervisor()) });
    this.parts = { gate: this.stage.gate, held: new Map(), supervisor: this.stage.audit, archive };
  }

  say(name: string, argument = "", signal = never): Promise<readonly string[]> {
    return answerCommand(this.parts, name, argument, signal);
  }

  #answer<T>(method: Method, words: string, answer: () => T) {
    this.asked.push(`${method} ${words}`.trim());
    const isRefused = this.refuses === method || this.refuses === `${method} ${words}`;
    return isRefused ? makeFailure("failed", `${method} has failed`) : answer();
  }

  #store() {
    return implement(ConversationStore, {
      begin: async () => this.#answer("begin", "", () => ({ conversation: "c9" })),
      beginTurn: async ({ said }) => this.#answer("beginTurn", Buffer.from(said).toString("hex"), () => ({})),
      open: async ({ conversation }) => this.#answer("open", conversation, () => ({ last: 0n })),
      list: async ({ most }) => this.#answer("list", String(most), () => this.listed),
      read: async ({ conversation, after }) =>
        this.#answer("read", `${conversation} ${after}`, () => {
          const kept = this.sayings.get(conversation);
          if (kept === undefined) return makeFailure("failed", `there is no conversation ${conversation}`);
          const sayings = kept.filter(({ sequence }) => sequence > after).slice(0, this.piece);
          return { sayings, last: kept.at(-1)?.sequence ?? 0n };
        }),
      fork: async ({ conversation, through }) =>
        this.#answer("fork", `${conversation} ${through}`, () => ({ fork: "c8" })),
      search: async ({ words, most }) => this.#answer("search", `${words} ${most}`, () => this.found),
      forget: async ({ conversation }) => this.#answer("forget", conversation, () => ({})),
      status: async () => this.#answer("status", "", () => this.status),
      window: async () => this.#answer("window", "", () => ({ window: this.window })),
      setRecall: async ({ isOn }) =>
        this.#answer("setRecall", String(isOn), () => {
          this.recalls = isOn;
          return {};
        }),
      recalling: async () => this.#answer("recalling", "", () => ({ isOn: this.recalls })),
      takeRecalled: async () => this.#answer("takeRecalled", "", () => this.recalled),
    });
  }

  #supervisor() {
    const refused = async () => makeFailure("failed", "not here");
    const restart = async ({ name }: { readonly name: string }) => this.#answer("restart", name, () => ({}));
    return implement(Supervisor, {
      ...{ restart, revoke: refused, stop: refused, facts: refused, readLog: refused, readNotices: refused },
    });
  }
}

/** Returns a saying, by default of a person. */
export function saying(sequence: number, changes: Partial<Saying> = {}): Saying {
  return {
    ...{ sequence: BigInt(sequence), turn: 1, role: "user", text: "hello", calls: [], callId: "", source: "" },
    ...{ outcome: "ok", through: 0n, saidMs: 0n, ...changes },
  };
}
