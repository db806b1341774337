// Serves a process that executes action plans. A submitter of plans can begin turns here, but has no other power of a person: no command,
// no task, no other conversation. A plan proposes to read or write a file; the tables determine the tool.
import type { Duplex } from "node:stream";
import {
  findToolOfMethod,
  findUnknownName,
  getText,
  type Json,
  type JsonRecord,
  mayRecord,
  recordFrom,
  recordIn,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import { PlanGate } from "../../lib/wire/generated/service.ts";
import { Files } from "../../lib/wire/generated/tools.ts";
import { type Answer, type Cancel, makeFailure, type Serving, serve } from "../../lib/wire/index.ts";
import type { Gate } from "./gate.ts";
import { recordEvent } from "./recording.ts";
import { cut } from "./result.ts";

/** Maximum bytes of one request: a file write in seed 5 has at most 64 KiB, and each of its bytes may be escaped. */
const MOST_BYTES = 512 * 1024;
/** Maximum bytes recorded of a plan. */
const MOST_WORDS = 8 * 1024;
/** Maximum number of plans and malformed requests accepted within an hour; further ones are neither recorded nor run. */
export const MOST_PER_HOUR = 600;
const HOUR_MS = 3_600_000;

const TOOLS: ReadonlyMap<string, readonly [bigint, string]> = new Map([
  ["read_file", [Files.id, "read"]],
  ["write_file", [Files.id, "write"]],
]);

/** The action plans that one gate executes, for all processes that may submit plans. */
export class Plans {
  readonly gate: Gate;
  readonly #now: () => number;
  #began = Number.NEGATIVE_INFINITY;
  #taken = 0;

  /** Creates the service. `now` returns the milliseconds of a clock that cannot be set. */
  constructor(gate: Gate, now: () => number) {
    this.gate = gate;
    this.#now = now;
  }

  serve(stream: Duplex): Serving {
    return serve(stream, [PlanGate.id], async ({ method, payload, cancel }): Promise<Answer> => {
      if (payload.which !== "json") return makeFailure("malformed", "PlanGate takes its arguments as JSON");
      const read = recordFrom(Buffer.from(payload.json), MOST_BYTES);
      if (!read.ok) return makeFailure("malformed", read.reason);
      const answered = await this.#answer(method, read.value, cancel);
      if (answered === undefined) return makeFailure("unknownMethod", `PlanGate has no method ${method}`);
      if (!answered.ok) return makeFailure("failed", answered.reason);
      return { ok: true, payload: { which: "json", json: renderCanonicalJson(answered.value) } };
    });
  }

  async #answer(method: number, params: JsonRecord, cancel: Cancel): Promise<Result<JsonRecord> | undefined> {
    const { look, begin, act, refused } = PlanGate.methods;
    switch (method) {
      case look.ordinal:
        return this.#look(params["action"]);
      case begin.ordinal:
        return this.#begin(getText(params["words"]));
      case act.ordinal:
        return this.#act(params, cancel);
      case refused.ordinal:
        return this.#note(getText(params["words"]));
      default:
        return undefined;
    }
  }

  #look(action: Json | undefined): Result<JsonRecord> {
    const call = this.#callOf(action, "look");
    const acceptStanding = (kind: string, reason: string) => accept({ standing: kind, reason });
    if (!call.ok) return acceptStanding("refused", call.reason);
    const decision = this.gate.plans.decideNow(call.value);
    const raising = this.gate.plans.explainRaise(decision);
    if (decision.kind === "refused" || raising !== undefined)
      return acceptStanding("refused", raising ?? decision.reason);
    const provider = this.gate.parts.tables.tools[decision.tool]?.provider ?? "";
    if (this.gate.services.isRevoked(provider)) return acceptStanding("refused", `${provider} was revoked`);
    return acceptStanding(decision.gate === "auto" ? "runs" : "asks", decision.reason);
  }

  async #begin(words: string): Promise<Result<JsonRecord>> {
    if (!this.#isInTime()) return refuse(FLOODED);
    const begun = await this.gate.plans.begin(cut(words, MOST_WORDS));
    return begun.ok ? accept({ turn: begun.value }) : begun;
  }

  /** Records a refused plan. No action of the plan runs, and the plan is recorded before the next request is served. */
  async #note(words: string): Promise<Result<JsonRecord>> {
    if (!this.#isInTime()) return refuse(FLOODED);
    const { parts, conversation } = this.gate;
    const shown = cut(words, MOST_WORDS);
    const isKept = mayRecord(parts.tables, conversation.label);
    await recordEvent(parts, "plan refused", isKept ? shown : { detail: "", withheld: shown });
    return accept({});
  }

  async #act(params: JsonRecord, cancel: Cancel): Promise<Result<JsonRecord>> {
    const { turn, id, action, isCautious } = params;
    const call = this.#callOf(action, getText(id));
    if (!call.ok) return accept({ outcome: "unknownTool", content: "", error: call.reason });
    const fault = this.gate.calls.findFault(call.value);
    if (fault !== undefined) return refuse(fault);
    // An unreadable field counts as the stricter of its two values.
    const told = await this.gate.plans.act(
      Number(turn),
      call.value,
      isCautious === false ? "ordinary" : "cautious",
      cancel,
    );
    return accept({ outcome: told.outcome, content: told.content, error: told.error });
  }

  #callOf(action: Json | undefined, id: string): Result<ToolCall> {
    const fields = recordIn(action);
    const [type, path, content] = [getText(fields["type"]), getText(fields["path"]), getText(fields["content"])];
    const method = TOOLS.get(type);
    if (method === undefined || findUnknownName(fields, ["type", "path", "content"]) !== undefined)
      return refuse("this is neither read_file nor write_file");
    const { tables } = this.gate.parts;
    const tool = findToolOfMethod(tables, this.gate.conversation, method, type);
    const args = type === "write_file" ? { path, content } : { path };
    return tool.ok ? accept({ id, name: tool.value, arguments: renderCanonicalJson(args) }) : tool;
  }

  /**
   * Counts a request; returns whether the hourly limit allows it. Without the limit a sender could begin any number of
   * turns, and each turn leaves records.
   */
  #isInTime(): boolean {
    const now = this.#now();
    if (now - this.#began >= HOUR_MS) [this.#began, this.#taken] = [now, 0];
    this.#taken += 1;
    if (this.#taken === MOST_PER_HOUR + 1) this.gate.note("plans flooded", FLOODED);
    return this.#taken <= MOST_PER_HOUR;
  }
}

const FLOODED = `more than ${MOST_PER_HOUR} plans came within an hour`;
