import { type Decision, decide, type GatedDecision, type IndexedTables } from "../../../lib/policy/index.ts";
import type { Target } from "../../../lib/reach/place.ts";
import { resolveToolTarget } from "../../../lib/reach/tool.ts";
import type { PermissionDecision } from "../../../lib/wire/generated/audit.ts";
import type { Tool } from "../../../lib/wire/generated/policy.ts";
import { type Ending, makeEnding } from "../ending.ts";
import type { Proposed } from "./proposed.ts";
import { describeFacts, NO_WORD, Stopped } from "./stopped.ts";

interface JudgingParts {
  readonly tables: IndexedTables;
  /** Services that this session was granted and may still use. */
  readonly services: {
    readonly isGranted: (name: string) => boolean;
    readonly isRevoked: (name: string) => boolean;
  };
}

/** Call that a gate of the page allows, whose service may be used, and that was not denied before in its turn. */
export class Judged {
  declare protected readonly stage: "judged";
  readonly proposed: Proposed;
  /** The decision. The arguments of the decision are shown, signed, recorded and sent; no later stage holds other arguments. */
  readonly decision: GatedDecision;
  readonly tool: Tool;

  /** Server that the arguments go to; `undefined` if the tool sends no requests over HTTP. */
  readonly target: Target | undefined;

  private constructor(proposed: Proposed, decision: GatedDecision, tool: Tool, target: Target | undefined) {
    this.proposed = proposed;
    this.decision = decision;
    this.tool = tool;
    this.target = target;
  }

  static judge({ tables, services }: JudgingParts, proposed: Proposed): Judged | Stopped {
    const { proposal, withdrawal } = proposed;
    const { turn, objection } = proposal;
    if (objection !== undefined) return stop(proposed, makeEnding("refusedByPolicy", objection));
    if (withdrawal.signal.aborted) return stop(proposed, turn.unsent);
    const decision = decideWithCaution(tables, proposed);
    if (decision.kind === "refused") {
      const permission = decision.mode === "forbidden" ? "forbidden" : "notReached";
      return stop(proposed, makeEnding(decision.outcome, decision.reason), decision, permission);
    }
    const tool = tables.tools[decision.tool];
    if (tool === undefined || !services.isGranted(tool.provider))
      return stop(
        proposed,
        makeEnding("executionError", `${tool?.provider} was not granted to this session`),
        decision,
      );
    withdrawal.runOn(tool.provider);
    if (services.isRevoked(tool.provider))
      return stop(proposed, makeEnding("refusedByPolicy", `${tool.provider} was revoked`), decision);
    // Egress would refuse the call too, but only after a person was asked about the call.
    const target = resolveToolTarget(tool, decision.arguments);
    if (target?.ok === false) return stop(proposed, makeEnding("refusedByPolicy", target.reason), decision);
    // A denied call stays denied for the turn, whatever consents exist.
    const { gate } = decision;
    const denied = gate === "auto" ? undefined : turn.findEarlierDenial(tool.name, decision.arguments);
    if (denied === undefined) return new Judged(proposed, decision, tool, target?.value);
    return gate === "stepUp"
      ? stop(proposed, makeEnding("stepUpFailed", denied), decision, "stepUpFailed")
      : stop(proposed, makeEnding("deniedByUser", denied), decision, "denied");
  }
}

/**
 * Stops a call and sends its refusal to the audit. The audit was not asked yet, so it is unknown whether the machine has a log.
 */
function stop(
  proposed: Proposed,
  ending: Ending,
  decision?: Decision,
  permission: PermissionDecision = "notReached",
): Stopped {
  const word = { ...NO_WORD, permission };
  const facts = describeFacts(proposed, decision, word);
  return new Stopped(ending, { proposed, facts, trail: "intent and outcome", lease: undefined });
}

/** Decides the call. If the proposal is cautious, a person is asked even if the page would not ask. */
function decideWithCaution(tables: IndexedTables, { proposal, before }: Proposed): Decision {
  const { call, caution, fault } = proposal;
  const decision = decide(tables, before, { tool: call.name, arguments: call.arguments, fault });
  const isRaised = caution === "cautious" && decision.kind === "gated" && decision.gate === "auto";
  return isRaised ? { ...decision, gate: "consent" } : decision;
}
