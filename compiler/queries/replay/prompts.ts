import { compareCodeUnits } from "../../../lang/text/index.ts";
import { formatDay } from "./clock.ts";
import type { Finding } from "./finding.ts";

/** Numbers of questions to people. */
interface PromptCount {
  /** Number of prompts in the records. */
  before: number;
  /** Number of prompts under the replayed policy, for calls and steps that could be decided. */
  after: number;
  /** Number of calls that could not be decided. Each of them may need a prompt. */
  open: number;
}

export interface DayCount extends Readonly<PromptCount> {
  /** Day by UTC, such as `2027-01-31`; `undefined` if a record has no time of day. */
  readonly day: string | undefined;
}

interface ToolCount extends Readonly<PromptCount> {
  readonly session: string;
  readonly tool: string;
}

/** Prompts by day, and by session and tool. */
export class Prompts {
  readonly #days = new Map<string, PromptCount>();
  readonly #tools = new Map<string, ToolCount & PromptCount>();

  add({ at, session, tool, was, now }: Finding): void {
    const before = was.kind === "decided" && was.asked ? 1 : 0;
    const after = now?.kind === "settled" && now.asked ? 1 : 0;
    const open = now?.kind === "open" ? 1 : 0;
    if (before + after + open === 0) return;
    const day = formatDay(at.wallMs) ?? "";
    const key = JSON.stringify([session, tool]);
    const ofDay = this.#days.get(day) ?? { before: 0, after: 0, open: 0 };
    const ofTool = this.#tools.get(key) ?? { session, tool, before: 0, after: 0, open: 0 };
    for (const count of [ofDay, ofTool]) {
      count.before += before;
      count.after += after;
      count.open += open;
    }
    this.#days.set(day, ofDay);
    this.#tools.set(key, ofTool);
  }

  /** Counts in the order of days. The entry without a day is last. */
  get days(): readonly DayCount[] {
    const days = [...this.#days].map(([day, count]) => ({ day: day === "" ? undefined : day, ...count }));
    return days.sort((one, other) => compareCodeUnits(one.day ?? "~", other.day ?? "~"));
  }

  /** Returns the counts of tools by session, then tool, in code-unit order. */
  get tools(): readonly ToolCount[] {
    return [...this.#tools.values()].sort(
      (one, other) => compareCodeUnits(one.session, other.session) || compareCodeUnits(one.tool, other.tool),
    );
  }
}
