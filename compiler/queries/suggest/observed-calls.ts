// Answers of people in a log, by session and tool: calls that they approved and would be asked about again, and calls that they denied,
// even if nothing vouches for the log.

import type { ConversationBounds, Finding, RecordPlace } from "../replay/index.ts";

/** Equal calls: the same arguments in a conversation in the same state. */
export interface ObservedCall {
  /** Arguments as JSON text; `undefined` if only a part is on record. */
  readonly arguments: string | undefined;
  readonly standing: ConversationBounds;
  readonly at: readonly RecordPlace[];
}

export interface ObservedTool {
  readonly session: string;
  readonly tool: string;
  readonly approved: readonly ObservedCall[];
  readonly refused: readonly ObservedCall[];
  /** Denials in other sessions, whose calls a line of this session may allow as well. */
  readonly refusedElsewhere: readonly RefusedElsewhereCall[];
}

export interface RefusedElsewhereCall extends ObservedCall {
  readonly session: string;
}

interface Growing {
  readonly session: string;
  readonly tool: string;
  readonly approved: Map<string, ObservedCall & { readonly at: RecordPlace[] }>;
  readonly refused: Map<string, ObservedCall & { readonly at: RecordPlace[] }>;
}

export class Observations {
  readonly #tools = new Map<string, Growing>();
  readonly #trustsAll: boolean;

  /** `trust`: whether unverified records count as approvals, too. */
  constructor(trust: "all" | "vouched") {
    this.#trustsAll = trust === "all";
  }

  readonly add = (finding: Finding): void => {
    const { kind, recorded, was, at } = finding;
    if (kind !== "call" || was.kind !== "decided") return;
    if (recorded.decision === "denied" || recorded.decision === "stepUpFailed") this.#keep("refused", finding);
    else if (isApproved(finding) && (at.isInOrder || this.#trustsAll)) this.#keep("approved", finding);
  };

  /** Tools with an approved call, in code-unit order of sessions and tools. */
  get tools(): readonly ObservedTool[] {
    const keys = [...this.#tools.keys()].sort();
    return keys.flatMap((key) => {
      const found = this.#tools.get(key);
      if (found === undefined || found.approved.size === 0) return [];
      const { session, tool, approved, refused } = found;
      const refusedElsewhere = this.#refusedElsewhere(session, tool);
      return [{ session, tool, approved: [...approved.values()], refused: [...refused.values()], refusedElsewhere }];
    });
  }

  #refusedElsewhere(session: string, tool: string): readonly RefusedElsewhereCall[] {
    const others = [...this.#tools.values()].filter((one) => one.tool === tool && one.session !== session);
    return others.flatMap((one) => [...one.refused.values()].map((call) => ({ ...call, session: one.session })));
  }

  #keep(what: "approved" | "refused", { session, tool, standing, at, isWhole, ...call }: Finding): void {
    const key = JSON.stringify([session, tool]);
    const growing = this.#tools.get(key) ?? { session, tool, approved: new Map(), refused: new Map() };
    this.#tools.set(key, growing);
    const args = isWhole ? call.arguments : undefined;
    const { rows, least, most } = standing;
    const alike = JSON.stringify([args, rows, least, most], (_, part: unknown) =>
      typeof part === "bigint" ? String(part) : part,
    );
    const known = growing[what].get(alike) ?? { arguments: args, standing, at: [] };
    known.at.push(at);
    growing[what].set(alike, known);
  }
}

/** Returns whether a person approved the call, or all calls like it, and the page would ask again. */
function isApproved({ recorded: { decision }, isWhole, now }: Finding): boolean {
  const isYes = decision === "consented" || decision === "remembered";
  return isYes && isWhole && now?.kind === "settled" && now.answer === "consent";
}
