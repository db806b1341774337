// Finds the counters of a call. A login lasts until the next one or until the machine stops; conversations last until the machine stops.
// A conversation has at most one task, from its first turn to its last, so that task and conversation can share one
// counter.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import { Counter } from "./tally.ts";

/**
 * Maximum number of conversations. If a conversation were forgotten, its counts could start from 0 again, so no more
 * are opened until the machine restarts.
 */
export const MAX_CONVERSATIONS = 1024;
/** Maximum number of turns of a conversation that are counted at the same time; an older turn cannot be charged. */
export const MAX_OPEN_TURNS = 64;

/**
 * The counters of one login, conversation or turn. The key of a counter is the index of the page's rule that sets the quota.
 */
class Page {
  readonly #counters = new Map<number, Counter>();

  ensureCounter(rule: number, resets: string): Counter {
    const counter = this.#counters.get(rule) ?? new Counter(resets);
    this.#counters.set(rule, counter);
    return counter;
  }
}

/** The sets of counters on which one call is counted. */
export interface EnclosingPages {
  readonly login: Page;
  readonly conversation: Page;
  readonly turn: Page;
}

interface ConversationBook {
  readonly page: Page;
  readonly turns: Map<number, Page>;
}

export class Books {
  #login = new Page();
  readonly #conversations = new Map<string, ConversationBook>();

  /**
   * Begins a new set of counters for the login. Leases of the previous login are still refunded to its own counters.
   */
  beginLogin(): void {
    this.#login = new Page();
  }

  /**
   * Returns the sets of counters of a turn, and opens them if there are none. Fails if the turn is over or there are
   * too many conversations.
   */
  open(conversation: string, turn: number): Result<EnclosingPages> {
    const book = this.#openBook(conversation);
    if (book === undefined) return refuse(`more than ${MAX_CONVERSATIONS} conversations since the machine started`);
    const page = book.turns.get(turn) ?? openTurnPage(book, turn);
    if (page === undefined) return refuse(`turn ${turn} is over`);
    return accept({ login: this.#login, conversation: book.page, turn: page });
  }

  /** Returns the sets of counters of a turn like `open`, but stores no new ones. */
  look(conversation: string, turn: number): EnclosingPages {
    const book = this.#conversations.get(conversation);
    return {
      login: this.#login,
      conversation: book?.page ?? new Page(),
      turn: book?.turns.get(turn) ?? new Page(),
    };
  }

  #openBook(conversation: string): ConversationBook | undefined {
    const known = this.#conversations.get(conversation);
    if (known !== undefined || this.#conversations.size >= MAX_CONVERSATIONS) return known;
    const book = { page: new Page(), turns: new Map<number, Page>() };
    this.#conversations.set(conversation, book);
    return book;
  }
}

/**
 * Opens the set of counters of a turn; returns `undefined` if the turn is refused. If MAX_OPEN_TURNS turns are open,
 * the turn replaces the open turn with the lowest number. A turn with an even lower number is refused, because it could
 * have been open before and would then be counted from 0 again.
 */
function openTurnPage({ turns }: ConversationBook, turn: number): Page | undefined {
  if (turns.size >= MAX_OPEN_TURNS) {
    const lowest = Math.min(turn, ...turns.keys());
    if (lowest === turn) return undefined;
    turns.delete(lowest);
  }
  const page = new Page();
  turns.set(turn, page);
  return page;
}
