// Collects the answers of people in a log, by session and tool. These are the approved calls that would need approval again, and the denied
// calls. Denied calls count even in an unverified log.

import type { ConversationBounds, Finding, RecordPlace } from "../replay/index.ts";

/** Equal calls: calls with the same arguments in conversations with the same state. */
export interface ObservedCall {
  /** Arguments as JSON text; `undefined` if the log has only a part of them. */
  readonly arguments: string | undefined;
  /** Whether the arguments are withheld: the log has only their digest. */
  readonly isWithheld: boolean;
  readonly standing: ConversationBounds;
  readonly at: readonly RecordPlace[];
}

export interface ObservedTool {
  readonly session: string;
  readonly tool: string;
  readonly approved: readonly ObservedCall[];
  readonly refused: readonly ObservedCall[];
  /**
   * Calls of the tool that people denied in other sessions. If these sessions inherit the new line, it may allow the
   * calls.
   */
  readonly refusedElsewhere: readonly RefusedElsewhereCall[];
  /** Approved calls whose arguments are withheld: no line can be suggested for them. */
  readonly withheld: readonly RecordPlace[];
}

export interface RefusedElsewhereCall extends ObservedCall {
  readonly session: string;
}

interface Growing {
  readonly session: string;
  readonly tool: string;
  readonly approved: Map<string, ObservedCall & { readonly at: RecordPlace[] }>;
  readonly refused: Map<string, ObservedCall & { readonly at: RecordPlace[] }>;
  readonly withheld: RecordPlace[];
}

export class Observations {
  readonly #tools = new Map<string, Growing>();
  readonly #trustsAll: boolean;

  /** Creates an empty collection. `trust` states whether unverified records count as approvals too. */
  constructor(trust: "all" | "vouched") {
    this.#trustsAll = trust === "all";
  }

  readonly add = (finding: Finding): void => {
    const { kind, recorded, was, at } = finding;
    if (kind !== "call" || was.kind !== "decided") return;
    if (recorded.decision === "denied" || recorded.decision === "stepUpFailed") this.#keep("refused", finding);
    else if (!at.isInOrder && !this.#trustsAll) return;
    else if (isApproved(finding)) this.#keep("approved", finding);
    else if (isWithheldApproval(finding)) this.#grow(finding).withheld.push(at);
  };

  /** Tools with an approved call, in code-unit order of sessions and tools. */
  get tools(): readonly ObservedTool[] {
    const keys = [...this.#tools.keys()].sort();
    return keys.flatMap((key) => {
      const found = this.#tools.get(key);
      if (found === undefined || found.approved.size + found.withheld.length === 0) return [];
      const { session, tool, approved, refused, withheld } = found;
      const refusedElsewhere = this.#refusedElsewhere(session, tool);
      const calls = { approved: [...approved.values()], refused: [...refused.values()] };
      return [{ session, tool, ...calls, refusedElsewhere, withheld }];
    });
  }

  #refusedElsewhere(session: string, tool: string): readonly RefusedElsewhereCall[] {
    const others = [...this.#tools.values()].filter((one) => one.tool === tool && one.session !== session);
    return others.flatMap((one) => [...one.refused.values()].map((call) => ({ ...call, session: one.session })));
  }

  #grow({ session, tool }: Finding): Growing {
    const key = JSON.stringify([session, tool]);
    const growing = this.#tools.get(key) ?? { session, tool, approved: new Map(), refused: new Map(), withheld: [] };
    this.#tools.set(key, growing);
    return growing;
  }

  #keep(what: "approved" | "refused", finding: Finding): void {
    const { standing, at, isWhole, isWithheld, ...call } = finding;
    const growing = this.#grow(finding);
    const args = isWhole ? call.arguments : undefined;
    const { rows, least, most } = standing;
    const alike = JSON.stringify([args, isWithheld, rows, least, most], (_, part: unknown) =>
      typeof part === "bigint" ? String(part) : part,
    );
    const known = growing[what].get(alike) ?? { arguments: args, isWithheld, standing, at: [] };
    known.at.push(at);
    growing[what].set(alike, known);
  }
}

/** Returns whether a person approved the call, with or without a remembered consent, and the page would ask again. */
function isApproved({ recorded: { decision }, isWhole, now }: Finding): boolean {
  const isYes = decision === "consented" || decision === "remembered";
  return isYes && isWhole && now?.kind === "settled" && now.answer === "consent";
}

/** Returns whether a person approved a call whose arguments are withheld. */
function isWithheldApproval({ recorded: { decision }, isWithheld }: Finding): boolean {
  return isWithheld && (decision === "consented" || decision === "remembered");
}
