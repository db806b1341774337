// Gives the loop the tools of the conversation, and a permit for one answer if one may be given.
import type { IndexedTables } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Conversing } from "./conversing.ts";
import { buildToolTable } from "./descriptors.ts";
import { explainUnheard } from "./hearing.ts";
import type { Models } from "./models.ts";
import { type Moves, SWITCHING } from "./moves.ts";
import type { Description, Offered } from "./offered.ts";
import type { Seat } from "./seat.ts";
import type { Sequence } from "./sequence.ts";
import { STOP_WORDS, type Turn } from "./turn.ts";
import type { Turns } from "./turns.ts";

interface OfferingParts {
  readonly tables: IndexedTables;
  readonly models: Models;
  readonly seat: Seat;
  readonly conversing: Conversing;
  readonly turns: Turns;
  readonly sequence: Sequence;
  readonly offered: Offered;
  readonly moves: Pick<Moves, "isSwitching">;
}

export const NOT_THE_LOOPS = "the person calls a tool directly, and nobody else proposes anything meanwhile";
/** The form of conversation names that the broker accepts, and that the line which a principal signs may contain. */
const CONVERSATION_NAME = /^[\x21-\x26\x28-\x7e]{1,64}$/;

export class Offering {
  readonly #parts: OfferingParts;

  constructor(parts: OfferingParts) {
    this.#parts = parts;
  }

  /**
   * Returns the tools of the conversation and the permit for one answer. Fails for a conversation other than the current one, for a turn
   * that is over, and if no backend may answer. If only a gated backend may answer, the person is asked before this method returns.
   */
  async describe(conversation: string): Promise<Result<Description>> {
    const { tables, conversing, turns, sequence } = this.#parts;
    if (!CONVERSATION_NAME.test(conversation)) return refuse("a conversation is named by 1 to 64 printable characters");
    // Records contain the conversation's name. So the loop must not choose the name if text of the loop must not be
    // recorded.
    conversing.nameOnce(tables.audit.hasLimit ? undefined : conversation);
    if (conversing.named !== conversation) return refuse("this gate keeps one conversation, and it is another");
    const turn = turns.now;
    const refusal = this.#explainUndescribed(turn);
    return refusal === undefined ? sequence.run(() => this.#describeIn(turn)) : refuse(refusal);
  }

  #explainUndescribed(turn: Turn): string | undefined {
    if (this.#parts.seat.isLocked) return STOP_WORDS.locked;
    if (this.#parts.moves.isSwitching) return SWITCHING;
    if (turn.stop !== undefined) return turn.stopWords;
    return turn.proposer === "loop" ? undefined : NOT_THE_LOOPS;
  }

  async #describeIn(turn: Turn): Promise<Result<Description>> {
    const { tables, models, conversing, turns, offered } = this.#parts;
    const refusal = this.#explainUndescribed(turn) ?? explainUnheard(tables, conversing.state);
    if (refusal !== undefined) return refuse(refusal);
    const permit = await models.permit({ ...turns.moment, turn });
    if (!permit.ok) return permit;
    if (turn.stop !== undefined) {
      await models.withdraw();
      return refuse(turn.stopWords);
    }
    const { id: model, backend, nonce } = permit.value;
    const description = { ...buildToolTable(tables, conversing.state), turn: turn.number, nonce, backend, model };
    offered.give(description);
    return accept(description);
  }

  /**
   * Opens a gated backend at the person's request. Resolves with the reason if the backend could not be opened, or with
   * `undefined` if it may answer now.
   */
  openModel(name: string): Promise<string | undefined> {
    const { models, conversing, turns, sequence } = this.#parts;
    conversing.nameOnce();
    return sequence.run(async () => {
      if (turns.over !== undefined) return STOP_WORDS[turns.over];
      const opened = await models.open(turns.moment, name);
      return opened.ok ? undefined : opened.reason;
    });
  }
}
