import type { IndexedTables } from "../../../lib/policy/index.ts";
import { LONGEST_TIMER_MS, type Reply } from "../../../lib/wire/index.ts";
import type { DrawLater } from "../draw-later.ts";
import type { Person } from "../ports.ts";
import { announceStage } from "./announcing.ts";
import type { Recorded } from "./recorded.ts";
import type { Services } from "./services.ts";
import { Stopped } from "./stopped.ts";

interface SendingParts {
  readonly tables: IndexedTables;
  readonly person: Person;
  readonly later: DrawLater;
  readonly services: Services;
}

/** Timeout of a call in milliseconds if the page sets none. */
const CALL_TIMEOUT_MS = 30_000;

/** A call that was sent, with the service's reply or the reason why none came. */
export class Sent {
  declare protected readonly stage: "sent";
  readonly recorded: Recorded;
  readonly reply: Reply<string>;

  private constructor(recorded: Recorded, reply: Reply<string>) {
    this.recorded = recorded;
    this.reply = reply;
  }

  static async send(parts: SendingParts, recorded: Recorded): Promise<Sent | Stopped> {
    const { permission, reserved, reached } = recorded.approved;
    const { proposed, decision } = reserved.answerable.recordable.judged;
    const stop = proposed.findStop();
    if (stop !== undefined) return new Stopped(stop, reached, recorded.intent);
    const { tables, person, later, services } = parts;
    const draw = () => announceStage(person, "running", proposed.proposal, decision);
    // A person who has just approved the call sees it begin. If nobody was asked, only a long call shows its beginning before its end.
    if (permission === "auto" || permission === "remembered") later.plan(draw);
    else draw();
    const limit = tables.rows[proposed.before.row]?.timeouts.callMs || CALL_TIMEOUT_MS;
    const options = { timeoutMs: Math.min(limit, LONGEST_TIMER_MS), signal: proposed.withdrawal.signal };
    const reply = await services.call(recorded, options);
    later.forget();
    return new Sent(recorded, reply);
  }
}
