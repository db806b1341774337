// Describes the current state of the session, in the few words of a console's status line.
import { formatLabel } from "../../lib/policy/index.ts";
import { Broker, type Standing } from "../../lib/wire/generated/wire.ts";
import type { Gate } from "./gate.ts";
import { NEIGHBOUR_MS } from "./ports.ts";

/** Maximum number of quotas in one description: a status line shows fewer. */
const MOST_LEFT = 16;
const LOCKED: Standing = { isLocked: true, label: "", model: "", isModelAsked: false, task: "", phase: "", left: [] };

export class Standings {
  readonly #gate: Gate;
  /**
   * Remaining quotas as they were before the running answer. During an answer, the broker has already counted all
   * tokens that the answer may use.
   */
  #left: readonly string[] = [];

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Returns the session's current state for the status line; for a locked session it contains only that the session is locked. */
  async describe(): Promise<Standing> {
    const { parts, seat } = this.#gate;
    if (seat.isLocked) return LOCKED;
    const taken = seat.signal;
    const standings = await parts.models.listStandings(this.#gate.moment);
    const all = standings.ok ? standings.value : [];
    const model = all.find(({ use }) => use === "now") ?? all.find(({ use }) => use === "gated");
    const left = await this.#countLeft(model?.name);
    // If the person was logged out in the meantime, return only that the session is locked.
    if (taken.aborted) return LOCKED;
    const { label } = this.#gate.conversation;
    const { task, phase } = this.#gate.row;
    return {
      isLocked: false,
      label: formatLabel(parts.tables.lattice, label),
      model: model?.name ?? "",
      isModelAsked: model?.use === "gated",
      task,
      phase,
      left,
    };
  }

  /** Returns the remaining quotas of the row and of the backend that answers; empty if the broker does not report them. */
  async #countLeft(model: string | undefined): Promise<readonly string[]> {
    const { broker, models } = this.#gate.parts;
    if (models.isAnswering) return this.#left;
    await models.waitUntilSettled();
    const place = { ...this.#gate.place, ...this.#gate.row };
    const reply = await broker.call(Broker.methods.remaining, place, { timeoutMs: NEIGHBOUR_MS });
    if (!reply.ok) return [];
    const held = reply.value.left.filter(({ backend }) => backend === "" || backend === model);
    const left = held.slice(0, MOST_LEFT).map(({ words }) => words);
    if (!models.isAnswering) this.#left = left;
    return this.#left;
  }
}
